// SPDX-License-Identifier: BSD-3-Clause
#include "fem/eigen/nonlinear_eigen.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/wavenumber.hpp"
#include "fem/system/system_matrix.hpp"
#include "linalg/direct/nonlinear_pairs.hpp"

namespace curlew::fem {
namespace {

using Csr = linalg::Csr<Complex>;
using Vector = Eigen::VectorXcd;

constexpr double derivative_step = 1e-4;  ///< relative; only the speed of convergence depends on it
constexpr double tolerance = 1e-11;
constexpr double tolerance_together = 1e-9;  ///< of residuals; values are right to their square
constexpr int max_steps = 25;

Vector product(const Csr& a, const Vector& x) {
  Vector y(a.num_rows);
  linalg::multiply(a, x.data(), y.data());
  return y;
}

/// T and dT/dλ at any λ.
class Operator {
 public:
  Operator(const NedelecSpace& space, const Model& model) : space_(space), terms_(space, model) {
    if (terms_.bloch()) factors_ = terms_.bloch()->factors(model.periodicity.phases(0));
  }
  bool is_symmetric() const { return terms_.is_symmetric(); }

  Csr at(Complex square) const {
    Csr t = terms_.create();
    terms_.assemble(frequency_of(std::sqrt(square)), factors_, t);
    return t;
  }
  Csr derivative(Complex square) const {
    const Complex step = derivative_step * square;
    Csr d = at(square + step);
    const Csr below = at(square - step);
    for (std::size_t i = 0; i < d.values.size(); ++i)
      d.values[i] = (d.values[i] - below.values[i]) / (2.0 * step);
    return d;
  }
  /// Converts unknowns of T to those of the space.
  std::vector<Complex> on_space(const Vector& y) const {
    if (!terms_.bloch()) return {y.data(), y.data() + y.size()};
    std::vector<Complex> x(std::size_t(space_.num_dofs()));
    terms_.bloch()->prolong(y.data(), 1, factors_, x.data());
    return x;
  }

 private:
  const NedelecSpace& space_;
  SystemMatrix terms_;
  std::vector<Complex> factors_;
};

/// Modes of the problem linearised at λ = target.
linalg::EigenResult<Complex> linearised(const Operator& op, double target, int count, bool partial,
                                        const linalg::DirectOptions& direct) {
  Csr k = op.at(target), m = op.derivative(target);
  for (std::size_t i = 0; i < k.values.size(); ++i) {
    k.values[i] -= target * m.values[i];
    m.values[i] = -m.values[i];
  }
  linalg::EigenOptions options;
  options.count = count;
  options.above = true;
  options.partial = partial;
  // The imaginary part forces complex arithmetic, since M may be indefinite.
  options.target = Complex(target, 1e-9 * target);
  options.drop_below = 1e-4 * target;
  options.tolerance = 1e-11;
  options.symmetric = op.is_symmetric();
  options.direct = direct;
  return linalg::eigenpairs(k, m, options);
}

/// Empty if the steps do not converge.
std::optional<NonlinearMode> correct(const Operator& op, Complex square, Vector x,
                                     const linalg::DirectOptions& direct) {
  const auto solver = linalg::make_direct_solver<Complex>(direct);
  for (int step = 0; step < max_steps; ++step) {
    const Csr t = op.at(square), d = op.derivative(square);
    const Vector load = product(d, x);
    if (step > 0) {  // without a factorisation that would be singular to rounding
      const double residual = product(t, x).norm() / (std::abs(square) * load.norm());
      if (residual < tolerance) return NonlinearMode{square, op.on_space(x), residual};
    }
    if (step == 0) solver->analyse(t);
    solver->factor(t);
    Vector y = load;
    solver->solve(y.data());
    // Symmetric T: xᵀ is the left vector, and the step converges cubically; xᵀT'x of a travelling wave would
    // vanish, and any other row is Newton's step.
    const Complex change =
        op.is_symmetric() ? (x.transpose() * load)(0) / (load.transpose() * y)(0) : load.dot(x) / load.dot(y);
    square -= change;
    x = y / y.norm();
    if (std::abs(change) > 0.5 * std::abs(square)) break;
    if (std::abs(change) < tolerance * std::abs(square)) {
      const double residual = product(op.at(square), x).norm() / (std::abs(square) * product(d, x).norm());
      return NonlinearMode{square, op.on_space(x), residual};
    }
  }
  return std::nullopt;
}

/// The same, but an error for one mode does not affect the others.
std::optional<NonlinearMode> correct_or_lose(const Operator& op, Complex square, const Vector& x,
                                             const linalg::DirectOptions& direct, LostModes* lost) {
  const double start = frequency_of(std::sqrt(square).real());
  std::string reason = "Newton's method does not converge";
  try {
    if (auto mode = correct(op, square, x, direct)) return mode;
  } catch (const NumericalError& e) {
    if (!lost) throw;
    reason = e.what();
  } catch (const InputError& e) {  // outside of a table
    if (!lost) throw;
    reason = e.what();
  }
  if (!lost)
    throw NumericalError(
        fmt::format("a mode near {:.6g} GHz does not converge: choose a target closer to the modes you want",
                    1e-9 * start));
  ++lost->count;
  lost->places.push_back(fmt::format("near {:.6g} GHz: {}", 1e-9 * start, reason));
  return std::nullopt;
}

/// Corrects all modes together if possible. @param start of the linearised problem
linalg::NonlinearPairs correct_together(const Operator& op, const linalg::EigenResult<Complex>& start) {
  linalg::NonlinearPairs pairs{start.values, start.vectors, {}};
  pairs.residuals.assign(start.values.size(), 1.0);
  try {
    return linalg::correct_together([&](Complex square) { return op.at(square); }, pairs, tolerance_together,
                                    *start.solver, op.is_symmetric());
  } catch (const InputError&) {  // a table does not cover all of them
    return pairs;
  } catch (const NumericalError&) {  // factorisation at their middle
    return pairs;
  }
}

/// Newton's steps may lead from two starts to one mode; degenerate modes differ in direction.
bool same(const NonlinearMode& a, const NonlinearMode& b) {
  if (std::abs(a.square - b.square) > 1e-8 * std::abs(a.square)) return false;
  const auto n = Eigen::Index(a.x.size());
  const Eigen::Map<const Vector> u(a.x.data(), n), v(b.x.data(), n);
  return std::abs(u.dot(v)) > 0.999 * u.norm() * v.norm();
}

}  // namespace

bool is_linear(const Model& model) {
  return std::none_of(model.boundaries.begin(), model.boundaries.end(),
                      [](const BoundaryCondition& b) { return b->has_terms(); }) &&
         std::none_of(model.materials.begin(), model.materials.end(),
                      [](const RegionMaterial& m) { return m.conductivity > 0 || !m.dispersion.is_empty(); });
}

std::vector<NonlinearMode> nonlinear_modes(const NedelecSpace& space, const Model& model,
                                           const CavityOptions& wanted, double target, LostModes* lost) {
  const Operator op(space, model);
  const double square = std::pow(wavenumber(target), 2);
  linalg::DirectOptions options = wanted.direct;
  options.symmetry = op.is_symmetric() ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  options.pivot_threshold = std::max(options.pivot_threshold, 0.01);
  const auto start = linearised(op, square, wanted.modes, lost != nullptr, options);
  if (lost) lost->count += start.missing;
  const auto pairs = correct_together(op, start);
  const auto n = Eigen::Index(start.vectors.size() / std::max<std::size_t>(start.values.size(), 1));
  std::vector<NonlinearMode> modes;
  for (std::size_t i = 0; i < pairs.values.size(); ++i) {
    const Vector x = Eigen::Map<const Vector>(&pairs.vectors[i * std::size_t(n)], n);
    auto mode = pairs.residuals[i] < tolerance_together
                    ? NonlinearMode{pairs.values[i], op.on_space(x), pairs.residuals[i]}
                    : correct_or_lose(op, pairs.values[i], x, options, lost);
    if (!mode) continue;
    const bool known =
        std::any_of(modes.begin(), modes.end(), [&](const NonlinearMode& m) { return same(m, *mode); });
    if (known) {
      log::warn("two initial values lead to the same mode at k0 = {:.6g} rad/m: one is left out",
                std::sqrt(mode->square).real());
    } else {
      modes.push_back(std::move(*mode));
    }
  }
  return modes;
}

}  // namespace curlew::fem
