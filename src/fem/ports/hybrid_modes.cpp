// SPDX-License-Identifier: BSD-3-Clause
// Modes of a cross-section with several media or lossy walls, at one frequency.

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/ports/face_modes.hpp"
#include "linalg/csr_rows.hpp"
#include "linalg/direct/arpack.hpp"
#include "linalg/direct/direct_solver.hpp"

namespace curlew::fem {
namespace {

using Vector = Eigen::VectorXcd;
using Csr = linalg::Csr<Complex>;

Csr complex_copy(const linalg::Csr<double>& a) {
  Csr b{a.num_rows, a.num_cols, a.row_offsets, a.columns, {}};
  b.values.assign(a.values.begin(), a.values.end());
  return b;
}

Vector product(const Csr& a, const Vector& x) {
  Vector y(a.num_rows);
  linalg::multiply(a, x.data(), y.data());
  return y;
}

std::unique_ptr<linalg::DirectSolver<Complex>> factored(const Csr& a) {
  auto solver = linalg::make_direct_solver<Complex>({.pivot_threshold = 0.01});
  solver->analyse(a);
  solver->factor(a);
  return solver;
}

void append(linalg::Coo<Complex>& sum, const Csr& a, Index row, Index column, Complex factor, Index num_rows,
            Index num_cols) {
  for (Index i = 0; i < std::min(a.num_rows, num_rows); ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (a.columns[std::size_t(k)] < num_cols)
        sum.add(row + i, column + a.columns[std::size_t(k)], factor * a.values[std::size_t(k)]);
}

/// A_tt e = γ² S e with the longitudinal part eliminated.
class Pencil {
 public:
  Pencil(const FaceSpace& face, const FaceMedium& medium, const std::vector<FaceWall>& walls, double k0)
      : n_(Index(face.dofs.size())),
        free_(face.num_free),
        gradient_(complex_copy(face.gradient)),
        divergence_(linalg::transpose(gradient_)) {
    FaceMatrices m = face_matrices(face, medium);
    transverse_ = linalg::add<Complex>(1.0, m.curl, -k0 * k0, m.mass_eps);
    mass_ = std::move(m.mass_mu);
    scalar_ = linalg::add<Complex>(1.0, congruent(face.gradient, mass_), -k0 * k0, m.scalar_eps);
    for (const FaceWall& wall : walls) add_wall(face, wall, transverse_, scalar_);
    if (free_ > 0) longitudinal_ = factored(linalg::block(scalar_, 0, free_, 0, free_));
  }
  Index size() const { return n_; }
  const Csr& transverse() const { return transverse_; }
  bool is_real() const { return linalg::is_real(transverse_) && linalg::is_real(mass_); }

  /// φ(e), zero on conductors.
  Vector longitudinal(const Vector& e) const {
    Vector phi = Vector::Zero(gradient_.num_cols);
    if (free_ == 0) return phi;
    Vector load = -product(divergence_, product(mass_, e)).head(free_);
    longitudinal_->solve(load.data());
    phi.head(free_) = load;
    return phi;
  }
  Vector s(const Vector& e) const { return product(mass_, Vector(e + product(gradient_, longitudinal(e)))); }
  /// jωμ0 times the current of a conductor, over γ: the residual of the longitudinal equation at its scalar.
  Complex current(const Vector& e, Index scalar) const {
    const Vector phi = longitudinal(e);
    return product(divergence_, product(mass_, e))[scalar] + product(scalar_, phi)[scalar];
  }
  /// The two equations at a shift, without eliminating an unknown.
  Csr shifted(Complex shift) const {
    const Csr coupling = product_with_gradient();
    const Csr adjoint = linalg::transpose(coupling);
    linalg::Coo<Complex> sum;
    sum.num_rows = sum.num_cols = n_ + free_;
    append(sum, transverse_, 0, 0, 1.0, n_, n_);
    append(sum, mass_, 0, 0, -shift, n_, n_);
    append(sum, coupling, 0, n_, -shift, n_, free_);
    append(sum, adjoint, n_, 0, -shift, free_, n_);
    append(sum, scalar_, n_, n_, -shift, free_, free_);
    return linalg::to_csr(sum);
  }

 private:
  Csr product_with_gradient() const {
    linalg::Coo<Complex> sum;
    sum.num_rows = n_, sum.num_cols = gradient_.num_cols;
    for (Index i = 0; i < n_; ++i)
      for (Offset k = mass_.row_offsets[std::size_t(i)]; k < mass_.row_offsets[std::size_t(i) + 1]; ++k) {
        const auto j = std::size_t(mass_.columns[std::size_t(k)]);
        for (Offset p = gradient_.row_offsets[j]; p < gradient_.row_offsets[j + 1]; ++p)
          sum.add(i, gradient_.columns[std::size_t(p)],
                  mass_.values[std::size_t(k)] * gradient_.values[std::size_t(p)]);
      }
    return linalg::to_csr(sum);
  }

  Index n_, free_;
  Csr gradient_, divergence_, transverse_, mass_, scalar_;
  std::unique_ptr<linalg::DirectSolver<Complex>> longitudinal_;
};

/// || |A| |e| ||
double absolute_product(const Csr& a, const Vector& e) {
  double sum = 0;
  for (Index i = 0; i < a.num_rows; ++i) {
    double row = 0;
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      row += std::abs(a.values[std::size_t(k)]) * std::abs(e[a.columns[std::size_t(k)]]);
    sum += row * row;
  }
  return std::sqrt(sum);
}

struct Pair {
  Complex square;  ///< γ²
  Vector e;
};

/// Eigenpairs nearest a shift below all γ² of a lossless guide, so that propagating modes come first.
std::vector<Pair> eigenpairs(const Pencil& pencil, double shift, int count) {
  const Index n = pencil.size();
  count = std::min(count, int(n) - 2);
  if (count < 1) return {};
  const Csr matrix = pencil.shifted(shift);
  const auto solver = factored(matrix);
  const linalg::Apply<Complex> op = [&](const Complex* x, Complex* y) {
    Vector load = Vector::Zero(matrix.num_rows);
    load.head(n) = pencil.s(Eigen::Map<const Vector>(x, n));
    solver->solve(load.data());
    Eigen::Map<Vector>(y, n) = load.head(n);
  };
  const int subspace = std::min(std::max(3 * count + 8, 24), int(n));
  const auto result = linalg::arnoldi({n, count, subspace, 1e-12, 300}, op);
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const Vector e = Eigen::Map<const Vector>(&result.vectors[i * std::size_t(n)], n);
    Complex square = shift + 1.0 / result.values[i];
    const Vector left = product(pencil.transverse(), e), right = square * pencil.s(e);
    // Near zero frequency e is nearly a gradient, and its curl is round-off of terms that cancel.
    const double round_off =
        std::numeric_limits<double>::epsilon() * absolute_product(pencil.transverse(), e);
    const double size = left.norm() + right.norm(), residual = (left - right).norm() / size;
    if (!(residual < 1e-6 + 100 * round_off / size)) {
      log::debug("port modes: gamma^2 = {:.6g}{:+.6g}j has a residual of {:.1e} and is left out",
                 square.real(), square.imag(), residual);
      continue;
    }
    if (pencil.is_real() && std::abs(square.imag()) < 1e-8 * std::abs(square)) square = square.real();
    pairs.push_back({square, e});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.square.real() < b.square.real(); });
  return pairs;
}

double area_of(const FaceSpace& face) {
  const mesh::Mesh& mesh = *face.space->mesh;
  double area = 0;
  for (const Index t : face.triangles) {
    const Index* nodes = mesh.triangle(t);
    const Vec3<double> a = mesh.nodes[std::size_t(nodes[0])];
    area += 0.5 * norm(cross(mesh.nodes[std::size_t(nodes[1])] - a, mesh.nodes[std::size_t(nodes[2])] - a));
  }
  return area;
}

/// True if the difference of two modes may be caused by the mesh.
bool are_equal(Complex a, Complex b) {
  return std::abs(a - b) < 1e-3 * std::max(std::abs(a), std::abs(b));
}

/// Edges and signs of the shortest way along free edges from a conductor to the ground (Dijkstra).
struct Step {
  Index dof;  ///< place of the edge's circulation among the face's dofs
  double sign;
};
std::vector<Step> voltage_path(const FaceSpace& face, Index conductor) {
  const NedelecSpace& space = *face.space;
  const auto n = face.vertex_nodes.size();
  const auto local = [&](Index node) {
    return std::size_t(std::lower_bound(face.vertex_nodes.begin(), face.vertex_nodes.end(), node) -
                       face.vertex_nodes.begin());
  };
  std::vector<double> distance(n, std::numeric_limits<double>::infinity());
  std::vector<Index> through(n, -1);
  for (std::size_t v = 0; v < n; ++v)
    if (face.vertex_scalars[v] == face.num_free + conductor) distance[v] = 0;
  for (bool changed = true; changed;) {  // few vertices: relaxation until nothing gets shorter
    changed = false;
    for (const Index e : face.edges) {
      if (space.edge_number[std::size_t(e)] < 0) continue;
      const auto& nodes = space.topology->edges[std::size_t(e)];
      const double length =
          norm(space.mesh->nodes[std::size_t(nodes[1])] - space.mesh->nodes[std::size_t(nodes[0])]);
      for (int way = 0; way < 2; ++way) {
        const std::size_t from = local(nodes[std::size_t(way)]), to = local(nodes[std::size_t(1 - way)]);
        if (distance[from] + length >= distance[to] * (1 - 1e-12)) continue;
        distance[to] = distance[from] + length;
        through[to] = e;
        changed = true;
      }
    }
  }
  std::size_t at = 0;
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t v = 0; v < n; ++v)
    if (face.vertex_scalars[v] == face.num_free + face.ground && distance[v] < best) best = distance[at = v];
  std::vector<Step> path;
  while (std::isfinite(best) && through[at] >= 0) {
    const Index e = through[at];
    const auto& nodes = space.topology->edges[std::size_t(e)];
    const bool forward = local(nodes[1]) == at;
    path.push_back({face.place(space.edge_dof(1, space.edge_number[std::size_t(e)])), forward ? 1.0 : -1.0});
    at = local(nodes[forward ? 0 : 1]);
  }
  return path;
}

/// The largest real εμ of the media [1].
double largest_index_square(const FaceSpace& face, const FaceMedium& medium) {
  double largest = 1e-3;
  for (std::size_t t = 0; t < face.triangles.size(); ++t) {
    const Material m = medium(t);
    const auto eps = m.epsilon_r.as_tensor(), mu = m.mu_r.as_tensor();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) largest = std::max(largest, (eps(i, i) * mu(j, j)).real());
  }
  return largest;
}

/// Modes as columns, with products by the pencil.
struct Columns {
  std::vector<Complex> squares;  ///< γ²
  Eigen::MatrixXcd e, s;         ///< [dofs, modes] e, Se
};

/// Scaled to eᵀSe = 1, those of nearly equal γ² made orthogonal in S.
Columns orthonormal(const Pencil& pencil, const std::vector<Pair>& pairs) {
  Columns all;
  const auto n = Eigen::Index(pencil.size()), count = Eigen::Index(pairs.size());
  all.e.resize(n, count), all.s.resize(n, count);
  for (Eigen::Index m = 0; m < count; ++m) {
    Vector e = pairs[std::size_t(m)].e;
    for (Eigen::Index i = 0; i < m; ++i)
      if (are_equal(pairs[std::size_t(i)].square, pairs[std::size_t(m)].square))
        e -= (all.s.col(i).transpose() * e)(0) * all.e.col(i);
    const Vector s = pencil.s(e);
    const Complex root = std::sqrt((s.transpose() * e)(0));
    all.e.col(m) = e / root;
    all.s.col(m) = s / root;
    all.squares.push_back(pairs[std::size_t(m)].square);
  }
  return all;
}

/// Rotates modes of nearly equal γ² to those that they continue, or to the axes of the face.
void turn_equal_modes(const HybridRequest& request, Columns& all) {
  for (std::size_t begin = 0; begin < all.squares.size();) {
    std::size_t end = begin + 1;
    while (end < all.squares.size() && are_equal(all.squares[end - 1], all.squares[end])) ++end;
    const auto first = Eigen::Index(begin), count = Eigen::Index(end - begin);
    begin = end;
    if (count == 1) continue;
    const Eigen::MatrixXcd e = all.e.middleCols(first, count), s = all.s.middleCols(first, count);
    const bool continues = request.earlier && request.earlier->loads.cols() >= count;
    const Eigen::MatrixXd q = continues ? rotation_to_earlier(request.earlier->loads.transpose() * e)
                                        : rotation_by_axes(request.functionals->transpose() * e);
    all.e.middleCols(first, count) = e * q;
    all.s.middleCols(first, count) = s * q;
    const std::vector<Complex> squares(all.squares.begin() + first, all.squares.begin() + first + count);
    for (Eigen::Index j = 0; j < count; ++j) {  // Rayleigh quotients of the combinations
      Complex& square = all.squares[std::size_t(first + j)] = 0;
      for (Eigen::Index i = 0; i < count; ++i) square += q(i, j) * q(i, j) * squares[std::size_t(i)];
    }
  }
}

/// Scales to eᵀBe = 1, with the sign of the mode that it continues or of its first nonzero functional.
void normalise(const Csr& mass, const HybridRequest& request, Columns& all) {
  for (Eigen::Index m = 0; m < all.e.cols(); ++m) {
    const Vector e = all.e.col(m);
    const Complex root = std::sqrt((e.transpose() * product(mass, e))(0));
    all.e.col(m) /= root;
    all.s.col(m) /= root;
    const Vector felt = request.functionals->transpose() * all.e.col(m);
    const double most = felt.cwiseAbs().maxCoeff();
    for (Eigen::Index k = 0; k < felt.size(); ++k) {
      if (std::abs(felt[k]) < 0.1 * most) continue;
      if (felt[k].real() < 0) all.e.col(m) *= -1, all.s.col(m) *= -1;
      break;
    }
  }
}

/// Which modes are taken, in which order, those that continue earlier ones on the same side.
std::vector<Eigen::Index> chosen_order(const HybridRequest& request, Columns& all, double& continuity) {
  std::vector<Eigen::Index> order(std::size_t(all.e.cols()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  if (request.earlier) {
    const Eigen::MatrixXcd overlaps = request.earlier->loads.transpose() * all.e;
    order = continued_order(overlaps, &continuity);
    for (Eigen::Index i = 0; i < std::min(overlaps.rows(), overlaps.cols()); ++i) {
      const Eigen::Index m = order[std::size_t(i)];
      if (overlaps(i, m).real() < 0) all.e.col(m) *= -1, all.s.col(m) *= -1;
    }
  }
  order.resize(std::min(order.size(), std::size_t(request.count)));
  return order;
}

/// Pads with uncoupled modes: their loads are zero.
void leave_out(int count, Eigen::Index num_dofs, double decay, HybridModes& modes) {
  if (count <= 0) return;
  const std::size_t found = modes.gammas.size(), all = found + std::size_t(count);
  std::vector<Complex> gram(all * all);
  for (std::size_t i = 0; i < found; ++i)
    for (std::size_t j = 0; j < found; ++j) gram[i * all + j] = modes.gram[i * found + j];
  modes.gram = std::move(gram);
  modes.gammas.resize(all, decay);
  modes.admittances.resize(all, decay);
  modes.powers.resize(all, decay);
  modes.voltages.resize(all), modes.currents.resize(all);
  modes.loads.resize(all * std::size_t(num_dofs)), modes.shapes.resize(all * std::size_t(num_dofs));
}

}  // namespace

HybridModes hybrid_modes(const FaceSpace& face, const FaceMedium& medium, const std::vector<FaceWall>& walls,
                         double k0, const HybridRequest& request) {
  const Pencil pencil(face, medium, walls, k0);
  constexpr int more = 4;  // modes that a reported one may have crossed
  // Just below all γ² of a lossless guide; at low frequency no nearer to zero than what round-off of the
  // modes below cut-off allows.
  const double shift =
      -std::max(1.02 * k0 * k0 * largest_index_square(face, medium), 1e-4 * pi * pi / area_of(face));
  Columns all = orthonormal(pencil, eigenpairs(pencil, shift, request.count + more));
  const Csr mass = face_matrices(face, [](std::size_t) { return Material{}; }).mass_eps;
  turn_equal_modes(request, all);
  normalise(mass, request, all);
  HybridModes modes;
  const auto order = chosen_order(request, all, modes.continuity);

  const auto n = Eigen::Index(face.dofs.size());
  const bool two_conductors = face.num_conductors == 2;
  const Index conductor = two_conductors ? 1 - face.ground : -1;
  const auto path = two_conductors ? voltage_path(face, conductor) : std::vector<Step>{};
  modes.entry.loads.resize(n, std::min(Eigen::Index(order.size()), Eigen::Index(request.reported)));
  for (std::size_t m = 0; m < order.size(); ++m) {
    Vector e = all.e.col(order[m]), s = all.s.col(order[m]);
    Complex voltage = 0;
    for (const Step& step : path) voltage += step.sign * e[step.dof];
    if (voltage.real() < 0) e = -e, s = -s, voltage = -voltage;  // E of a line from conductor to ground
    const Complex norm = (s.transpose() * e)(0);
    // Re(γ eᴴSe / j) is the power up to a positive factor: forward, it is positive
    const Complex flow = (s.transpose() * e.conjugate())(0);
    const Complex gamma = forward_root(all.squares[std::size_t(order[m])], flow.real());
    modes.gammas.push_back(gamma);
    modes.admittances.push_back(gamma * norm);
    modes.powers.push_back(gamma * flow);
    modes.voltages.push_back(voltage);
    modes.currents.push_back(two_conductors ? gamma * pencil.current(e, face.num_free + conductor) : 0.0);
    const Vector load = s / norm, shape = product(mass, e);
    modes.loads.insert(modes.loads.end(), load.data(), load.data() + n);
    modes.shapes.insert(modes.shapes.end(), shape.data(), shape.data() + n);
    if (Eigen::Index(m) < modes.entry.loads.cols()) modes.entry.loads.col(Eigen::Index(m)) = load;
    all.e.col(order[m]) = e;
  }
  if (int(order.size()) < request.reported)
    throw NumericalError(fmt::format("port modes: {} of {} have converged at k0 = {:.6g} 1/m", order.size(),
                                     request.reported, k0));
  for (const Eigen::Index a : order)
    for (std::size_t j = 0; j < order.size(); ++j)
      modes.gram.push_back(
          (all.e.col(a).transpose() * Eigen::Map<const Vector>(&modes.shapes[j * std::size_t(n)], n))(0));
  leave_out(request.count - int(order.size()), n, pi / std::sqrt(area_of(face)), modes);
  return modes;
}

}  // namespace curlew::fem
