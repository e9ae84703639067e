// SPDX-License-Identifier: BSD-3-Clause
// TE, TM and TEM modes of a cross-section with one medium.

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/constants.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/ports/face_modes.hpp"
#include "fem/ports/port_shape.hpp"
#include "linalg/csr_rows.hpp"
#include "linalg/direct/arpack.hpp"
#include "linalg/direct/eigen.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

Vector product(const linalg::Csr<double>& a, const Vector& x) {
  Vector y(a.num_rows);
  linalg::multiply(a, x.data(), y.data());
  return y;
}

/// The face's problem with unit media.
struct Face {
  const FaceSpace& space;
  linalg::Csr<double> curl, mass, gradient_transposed, stiffness, scalar_mass;
  double scale;  ///< [1/m²] a typical kc²

  explicit Face(const FaceSpace& face) : space(face), gradient_transposed(linalg::transpose(face.gradient)) {
    const auto matrices = face_matrices(face, [](std::size_t) { return Material{}; });
    curl = linalg::real_part(matrices.curl);
    mass = linalg::real_part(matrices.mass_eps);
    stiffness = congruent(face.gradient, mass);
    scalar_mass = linalg::real_part(matrices.scalar_eps);
    const double area = std::accumulate(scalar_mass.values.begin(), scalar_mass.values.end(), 0.0);
    scale = pi * pi / std::abs(area);
  }
};

/// Removes gradients by the orthogonal projection in the inner product of the mass matrix. All conductors but
/// the ground have a potential; without conductors one scalar is fixed instead.
class GradientProjector {
 public:
  explicit GradientProjector(const Face& face) : face_(face) {
    for (Index s = 0; s < face.space.num_scalars(); ++s) {
      const bool ground = face.space.ground >= 0 && s == face.space.num_free + face.space.ground;
      const bool held = face.space.ground < 0 && s == 0;
      if (!ground && !held) kept_.push_back(s);
    }
    if (kept_.empty()) return;
    linalg::Coo<double> block;
    block.num_rows = block.num_cols = Index(kept_.size());
    std::vector<Index> number(std::size_t(face.space.num_scalars()), -1);
    for (std::size_t i = 0; i < kept_.size(); ++i) number[std::size_t(kept_[i])] = Index(i);
    for (Index i = 0; i < face.stiffness.num_rows; ++i)
      for (Offset k = face.stiffness.row_offsets[std::size_t(i)];
           k < face.stiffness.row_offsets[std::size_t(i) + 1]; ++k) {
        const Index j = face.stiffness.columns[std::size_t(k)];
        if (number[std::size_t(i)] >= 0 && number[std::size_t(j)] >= 0)
          block.add(number[std::size_t(i)], number[std::size_t(j)], face.stiffness.values[std::size_t(k)]);
      }
    const auto matrix = linalg::to_csr(block);
    solver_ = linalg::make_direct_solver<double>({.pivot_threshold = 0.01});
    solver_->analyse(matrix);
    solver_->factor(matrix);
  }
  Index rank() const { return Index(kept_.size()); }

  void apply(Vector& x) const {
    if (kept_.empty()) return;
    const Vector divergence = product(face_.gradient_transposed, product(face_.mass, x));
    Vector potential(kept_.size());
    for (std::size_t i = 0; i < kept_.size(); ++i) potential[Eigen::Index(i)] = divergence[kept_[i]];
    solver_->solve(potential.data());
    Vector scalars = Vector::Zero(face_.space.num_scalars());
    for (std::size_t i = 0; i < kept_.size(); ++i) scalars[kept_[i]] = potential[Eigen::Index(i)];
    x -= product(face_.space.gradient, scalars);
  }

 private:
  const Face& face_;
  std::vector<Index> kept_;
  std::unique_ptr<linalg::DirectSolver<double>> solver_;
};

struct Found {
  PortMode mode;
  Vector e;
};

/// Shift and invert on the complement of the gradients.
void add_te(const Face& face, int count, std::vector<Found>& found) {
  const GradientProjector projector(face);
  const Index n = face.mass.num_rows;
  count = std::min(count, int(n - projector.rank()) - 2);
  if (count < 1) return;
  const auto shifted = linalg::add(1.0, face.curl, face.scale, face.mass);
  const auto solver = linalg::make_direct_solver<double>({});
  solver->analyse(shifted);
  solver->factor(shifted);
  const linalg::Apply<double> mass = [&](const double* x, double* y) { linalg::multiply(face.mass, x, y); };
  const linalg::Apply<double> op = [&](const double* x, double* y) {
    Vector v = product(face.mass, Eigen::Map<const Vector>(x, n));
    solver->solve(v.data());
    projector.apply(v);
    Eigen::Map<Vector>(y, n) = v;
  };
  const int subspace = std::min(std::max(2 * count + 8, 20), int(n));
  const auto result = linalg::lanczos({n, count, subspace, 1e-12, 300}, op, mass);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const double square = 1 / result.values[i].real() - face.scale;
    found.push_back({{ModeFamily::te, "TE", std::sqrt(std::max(square, 0.0)), 0, 0},
                     Eigen::Map<const Vector>(&result.vectors[i * std::size_t(n)], n)});
  }
}

void add_tm(const Face& face, int count, std::vector<Found>& found) {
  const Index n = face.space.num_free;
  count = std::min(count, int(n) - 2);
  if (count < 1) return;
  linalg::EigenOptions options;
  options.count = count;
  options.target = -face.scale;
  options.skip_null_space = false;
  options.drop_below = 1e-6 * face.scale;  // the constant, without a conductor
  const auto result = linalg::eigenpairs(linalg::block(face.stiffness, 0, n, 0, n),
                                         linalg::block(face.scalar_mass, 0, n, 0, n), options);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    Vector scalars = Vector::Zero(face.space.num_scalars());
    scalars.head(n) = Eigen::Map<const Vector>(&result.vectors[i * std::size_t(n)], n);
    found.push_back({{ModeFamily::tm, "TM", std::sqrt(result.values[i].real()), 0, 0},
                     product(face.space.gradient, scalars)});
  }
}

/// e = -∇Φ, Φ = 1 on one conductor and 0 on all others.
void add_tem(const Face& face, std::vector<Found>& found) {
  const FaceSpace& space = face.space;
  if (space.num_conductors < 2) return;
  std::vector<Vector> previous;
  for (Index c = 0; c < space.num_conductors; ++c) {
    if (c == space.ground) continue;
    Vector step = Vector::Zero(space.num_scalars());
    step[space.num_free + c] = 1;
    std::vector<std::optional<double>> given(std::size_t(space.num_scalars()));
    for (Index s = space.num_free; s < space.num_scalars(); ++s) given[std::size_t(s)] = step[s];
    const auto potential = static_potential(face.stiffness, given);
    Vector e = -product(space.gradient, Eigen::Map<const Vector>(potential.data(), step.size()));
    for (const Vector& p : previous) e -= p.dot(product(face.mass, e)) * p;
    const double norm = std::sqrt(e.dot(product(face.mass, e)));
    e /= norm;
    PortMode mode{ModeFamily::tem, "TEM", 0, 0, 0};
    if (previous.empty()) {  // of further conductors a voltage alone says nothing
      mode.voltage = 1 / norm;
      mode.flux = product(space.gradient, step).dot(product(face.mass, e));
    }
    previous.push_back(e);
    found.push_back({mode, e});
  }
}

/// Rotates degenerate modes (columns) so that only the first one has a value of the first functional, and so
/// on; makes these values positive.
void align(const Matrix& functionals, Eigen::Ref<Matrix> e) {
  for (Eigen::Index first = 0; first < e.cols(); ++first) {
    auto rest = e.rightCols(e.cols() - first);
    for (Eigen::Index k = 0; k < functionals.cols(); ++k) {
      const Vector p = rest.transpose() * functionals.col(k);
      if (p.norm() < 1e-3) continue;
      // a reflection that takes p to (|p|, 0, ...)
      Vector w = p / p.norm();
      if (w[0] < 0) rest.col(0) *= -1, w[0] *= -1;
      w[0] += 1;
      rest -= (rest * w) * (2.0 / w.squaredNorm()) * w.transpose();
      rest.col(0) *= -1;
      break;
    }
  }
}

}  // namespace

std::vector<double> direction_functionals(const FaceSpace& face,
                                          const std::optional<Vec3<double>>& polarization) {
  const TraceEvaluator evaluator(*face.space, face.space->order + 2);
  TriangleTrace trace;
  Vec3<double> centre{}, normal{};
  double area = 0;
  for (const Index t : face.triangles) {
    evaluator.evaluate(t, trace);
    for (std::size_t q = 0; q < trace.weights.size(); ++q) {
      area += trace.weights[q];
      centre += trace.weights[q] * trace.points[q];
    }
    normal = trace.normals[0];
  }
  centre = (1 / area) * centre;
  int axis = 0;  // the first global axis that is well inside the plane
  while (std::abs(normal[axis]) > 0.7) ++axis;
  Vec3<double> u{};
  u[axis] = 1;
  u = in_plane(polarization.value_or(u), normal, "polarization");
  Vec3<double> v = cross(normal, u);
  for (int i = 2; i >= 0; --i)  // along its largest component, for either sign of the normal
    if (std::abs(v[i]) > 0.7) v = v[i] < 0 ? -v : v;
  constexpr int count = 6;
  const auto field = [&](Vec3<double> r, int k) -> Vec3<double> {
    const double x = dot(r - centre, u), y = dot(r - centre, v);
    switch (k) {
      case 0:
        return u;
      case 1:
        return v;
      case 2:
        return x * u + y * v;
      case 3:
        return x * v - y * u;
      case 4:
        return x * u - y * v;
      default:
        return y * u + x * v;
    }
  };
  std::vector<double> values(count * face.dofs.size(), 0.0);
  double squares[count] = {};
  for (const Index t : face.triangles) {
    evaluator.evaluate(t, trace);
    for (std::size_t q = 0; q < trace.weights.size(); ++q)
      for (int k = 0; k < count; ++k) {
        const Vec3<double> g = field(trace.points[q], k);
        squares[k] += trace.weights[q] * dot(g, g);
        for (std::size_t i = 0; i < std::size_t(trace.num_functions); ++i)
          if (trace.dofs[i] >= 0)
            values[std::size_t(k) * face.dofs.size() + std::size_t(face.place(trace.dofs[i]))] +=
                trace.weights[q] * dot(g, trace.values[q * std::size_t(trace.num_functions) + i]);
      }
  }
  for (std::size_t i = 0; i < values.size(); ++i) values[i] /= std::sqrt(squares[i / face.dofs.size()]);
  return values;
}

HomogeneousModes homogeneous_modes(const FaceSpace& space, int count,
                                   const std::optional<Vec3<double>>& polarization) {
  const Face face(space);
  std::vector<Found> found;
  add_te(face, count, found);
  add_tm(face, count, found);
  std::sort(found.begin(), found.end(),
            [](const Found& a, const Found& b) { return a.mode.cutoff < b.mode.cutoff; });
  std::vector<Found> all;
  add_tem(face, all);
  all.insert(all.end(), found.begin(), found.end());
  if (int(all.size()) > count) all.resize(std::size_t(count));

  const auto n = Eigen::Index(space.dofs.size());
  const auto functionals = direction_functionals(space, polarization);
  const Matrix directions =
      Eigen::Map<const Matrix>(functionals.data(), n, Eigen::Index(functionals.size()) / n);
  HomogeneousModes result;
  int te = 0, tm = 0;
  for (std::size_t begin = 0; begin < all.size();) {
    std::size_t end = begin + 1;  // meshes split equal cut-offs by about the discretisation error
    while (end < all.size() && all[begin].mode.family != ModeFamily::tem &&
           all[end].mode.family == all[begin].mode.family &&
           std::abs(all[end].mode.cutoff - all[begin].mode.cutoff) < 1e-3 * all[begin].mode.cutoff)
      ++end;
    Matrix e(n, Eigen::Index(end - begin));
    for (std::size_t i = begin; i < end; ++i) {
      const double norm = std::sqrt(all[i].e.dot(product(face.mass, all[i].e)));
      e.col(Eigen::Index(i - begin)) = all[i].e / norm;
    }
    if (all[begin].mode.family != ModeFamily::tem) align(directions, e);
    for (std::size_t i = begin; i < end; ++i) {
      PortMode mode = all[i].mode;
      if (mode.family == ModeFamily::te) mode.name += fmt::format("-{}", ++te);
      if (mode.family == ModeFamily::tm) mode.name += fmt::format("-{}", ++tm);
      if (mode.family == ModeFamily::tem && space.num_conductors > 2) mode.name += fmt::format("-{}", i + 1);
      result.modes.push_back(mode);
      const Vector load = product(face.mass, e.col(Eigen::Index(i - begin)));
      result.loads.insert(result.loads.end(), load.data(), load.data() + n);
    }
    begin = end;
  }
  return result;
}

}  // namespace curlew::fem
