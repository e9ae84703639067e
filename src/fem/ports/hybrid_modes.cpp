// SPDX-License-Identifier: BSD-3-Clause
// Modes of a cross-section with several media or lossy walls, at one frequency.

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "fem/ports/face_modes.hpp"
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
  /// jωμ0 times the current of a conductor, over γ: what the longitudinal equation leaves at its scalar.
  Complex current(const Vector& e, Index scalar) const {
    const Vector phi = longitudinal(e);
    return product(divergence_, product(mass_, e))[scalar] + product(scalar_, phi)[scalar];
  }
  /// The two equations at a shift, both unknowns kept.
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
    const double residual = (left - right).norm() / (left.norm() + right.norm());
    if (!(residual < 1e-6))
      throw NumericalError(fmt::format("port modes: gamma^2 = {:.6g}{:+.6g}j has a residual of {:.1e}",
                                       square.real(), square.imag(), residual));
    if (pencil.is_real() && std::abs(square.imag()) < 1e-8 * std::abs(square)) square = square.real();
    pairs.push_back({square, e});
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return a.square.real() < b.square.real(); });
  return pairs;
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

/// Scales to eᵀBe = 1 and turns to the positive side of the first functional that the mode feels.
void normalise(const Csr& mass, const Eigen::MatrixXd& functionals, Vector& e) {
  const Complex square = (e.transpose() * product(mass, e))(0);
  e /= std::sqrt(square);
  for (Eigen::Index k = 0; k < functionals.cols(); ++k) {
    const Complex p = (functionals.col(k).transpose() * e)(0);
    if (std::abs(p) < 1e-3) continue;
    if (p.real() < 0) e = -e;
    return;
  }
}

}  // namespace

HybridModes hybrid_modes(const FaceSpace& face, const FaceMedium& medium, const std::vector<FaceWall>& walls,
                         double k0, int count) {
  const Pencil pencil(face, medium, walls, k0);
  std::vector<Pair> pairs = eigenpairs(pencil, -1.02 * k0 * k0 * largest_index_square(face, medium), count);
  const Csr mass = face_matrices(face, [](std::size_t) { return Material{}; }).mass_eps;
  const auto n = Eigen::Index(face.dofs.size());
  const auto raw = direction_functionals(face);
  const Eigen::MatrixXd functionals =
      Eigen::Map<const Eigen::MatrixXd>(raw.data(), n, Eigen::Index(raw.size()) / n);
  const bool two_conductors = face.num_conductors == 2;
  const Index conductor = two_conductors ? 1 - face.ground : -1;
  const auto path = two_conductors ? voltage_path(face, conductor) : std::vector<Step>{};

  HybridModes modes;
  for (std::size_t m = 0; m < pairs.size(); ++m) {
    Vector& e = pairs[m].e;
    for (std::size_t i = 0; i < m; ++i) {  // equal modes come in any combination
      if (std::abs(pairs[i].square - pairs[m].square) > 1e-5 * std::abs(pairs[m].square)) continue;
      const Vector s = pencil.s(pairs[i].e);
      e -= ((s.transpose() * e)(0) / (s.transpose() * pairs[i].e)(0)) * pairs[i].e;
    }
    normalise(mass, functionals, e);
    Complex voltage = 0;
    for (const Step& step : path) voltage += step.sign * e[step.dof];
    if (voltage.real() < 0) e = -e, voltage = -voltage;  // E of a line from conductor to ground
    const Complex gamma = decaying_root(pairs[m].square);
    const Vector s = pencil.s(e);
    const Complex norm = (s.transpose() * e)(0);
    modes.gammas.push_back(gamma);
    modes.admittances.push_back(gamma * norm);
    modes.voltages.push_back(voltage);
    modes.currents.push_back(two_conductors ? gamma * pencil.current(e, face.num_free + conductor) : 0.0);
    const Vector load = s / norm, shape = product(mass, e);
    modes.loads.insert(modes.loads.end(), load.data(), load.data() + n);
    modes.shapes.insert(modes.shapes.end(), shape.data(), shape.data() + n);
  }
  for (const Pair& a : pairs)
    for (std::size_t j = 0; j < pairs.size(); ++j)
      modes.gram.push_back(
          (a.e.transpose() * Eigen::Map<const Vector>(&modes.shapes[j * std::size_t(n)], n))(0));
  return modes;
}

}  // namespace curlew::fem
