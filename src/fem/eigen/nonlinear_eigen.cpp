// SPDX-License-Identifier: BSD-3-Clause
#include "fem/eigen/nonlinear_eigen.hpp"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "base/wavenumber.hpp"
#include "fem/system/system_matrix.hpp"
#include "fem/system/system_terms.hpp"
#include "linalg/direct/nonlinear_pairs.hpp"

namespace curlew::fem {
namespace {

using Csr = linalg::Csr<Complex>;
using Vector = Eigen::VectorXcd;
using Split = std::function<linalg::SplitMatrix(const std::vector<double>& points)>;

constexpr double derivative_step = 1e-4;  ///< relative; only the speed of convergence depends on it
constexpr double tolerance = 1e-11;
/// Residuals of modes corrected together; the error of values is their square if T is symmetric.
constexpr double tolerance_symmetric = 1e-8, tolerance_unsymmetric = 1e-9;
constexpr int max_steps = 25;

Vector product(const Csr& a, const Vector& x) {
  Vector y(a.num_rows);
  linalg::multiply(a, x.data(), y.data());
  return y;
}

/// T and dT/dλ at any λ.
class Operator {
 public:
  Operator(const NedelecSpace& space, const Model& model)
      : space_(space), model_(model), system_(space, model) {
    if (system_.bloch()) factors_ = system_.bloch()->factors(model.periodicity.phases(0));
    if (!is_sum_of_terms(model)) return;
    auto terms = system_terms(model, assembler(), {});
    const auto pattern = assembler().create_matrix<Complex>();
    // Twice: corrections together have a copy.
    if (2 * terms.size() * std::size_t(pattern.nnz()) * sizeof(Complex) > available_memory() / 4) return;
    terms_ = std::move(terms);
    for (const SystemTerm& term : terms_) matrices_.push_back(assemble_term(term, pattern));
  }
  const Model& model() const { return model_; }
  const Assembler& assembler() const { return system_.assembler(); }
  bool is_symmetric() const { return system_.is_symmetric(); }
  double tolerance_together() const { return is_symmetric() ? tolerance_symmetric : tolerance_unsymmetric; }

  /// Terms and their matrices; empty unless T is a sum of them.
  const std::vector<SystemTerm>& terms() const { return terms_; }
  const std::vector<Csr>& matrices() const { return matrices_; }

  Csr at(Complex square) const {
    Csr t = system_.create();
    const Complex frequency = frequency_of(std::sqrt(square));
    if (terms_.empty()) system_.assemble(frequency, factors_, t);
    for (std::size_t i = 0; i < terms_.size(); ++i)
      t = linalg::add(Complex(1), t, terms_[i].factor(frequency), matrices_[i]);
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
    if (!system_.bloch()) return {y.data(), y.data() + y.size()};
    std::vector<Complex> x(std::size_t(space_.num_dofs()));
    system_.bloch()->prolong(y.data(), 1, factors_, x.data());
    return x;
  }

 private:
  const NedelecSpace& space_;
  const Model& model_;
  SystemMatrix system_;
  std::vector<Complex> factors_;
  std::vector<SystemTerm> terms_;
  std::vector<Csr> matrices_;
};

/// Modes of the problem linearised at the target.
linalg::EigenResult<Complex> linearised(const Operator& op, linalg::EigenOptions options) {
  const double target = options.target.real();
  Csr k = op.at(target), m = op.derivative(target);
  for (std::size_t i = 0; i < k.values.size(); ++i) {
    k.values[i] -= target * m.values[i];
    m.values[i] = -m.values[i];
  }
  // The imaginary part forces complex arithmetic, since M may be indefinite.
  options.target = Complex(target, 1e-9 * target);
  return linalg::eigenpairs(k, m, options);
}

/// True if waves hardly see that the resonator is lossy: scalar media with constants nearly real, walls with
/// impedances small beside that of the wave and not capacitive, which would resonate with the inside.
bool is_nearly_lossless(const Operator& op, double frequency) {
  constexpr double small = 0.1;
  const auto is_nearly_real = [](const Coefficient& c) {
    return c.is_scalar && c.scalar.real() > 0 && std::abs(c.scalar.imag()) < small * c.scalar.real();
  };
  const auto is_good = [&](const RegionMaterial& m) {
    if (!m.dispersion.is_empty()) return false;
    const Material at = medium_at(m, frequency);
    return is_nearly_real(at.epsilon_r) && is_nearly_real(at.mu_r);
  };
  const auto is_metal = [&](const SystemTerm& term) {
    const Complex y = term.factor(frequency);
    return small * std::abs(y) > wavenumber(frequency) && y.real() > -small * std::abs(y);
  };
  return std::ranges::all_of(op.model().materials, is_good) &&
         std::ranges::all_of(op.terms(), [&](const SystemTerm& t) { return t.rows.empty() || is_metal(t); });
}

/// Real modes with walls whose admittances have the modulus of the true ones at the target: good conductors
/// are nearly metal.
linalg::EigenResult<double> lossless_modes(const Operator& op, double frequency,
                                           linalg::EigenOptions options) {
  auto k = linalg::real_part(op.matrices()[0]);
  for (std::size_t t = 0; t < op.terms().size(); ++t)
    if (!op.terms()[t].rows.empty())
      k = linalg::add(1.0, k, std::abs(op.terms()[t].factor(frequency)), linalg::real_part(op.matrices()[t]));
  options.partial = true;
  const auto m = linalg::real_part(op.matrices()[1]);
  auto found = linalg::eigenpairs(k, m, options);
  // A shift far below all modes would make corrections slow.
  if (!found.values.empty() && options.target.real() < 0.5 * found.values[0].real())
    found.solver->factor(linalg::add(1.0, k, -0.9 * found.values[0].real(), m));
  return found;
}

/// Converts wall unknowns of solutions with the moduli of the admittances Y at a frequency to those with Y of
/// the modes: for large Y they are the currents divided by Y.
class WallFactors {
 public:
  WallFactors(const std::vector<SystemTerm>& terms, double frequency)
      : terms_(terms), frequency_(frequency) {}
  /// @param x [n, values]
  void apply(const std::vector<Complex>& values, std::size_t n, Complex* x) const {
    for (const SystemTerm& term : terms_) {
      if (term.rows.empty()) continue;
      const double modulus = std::abs(term.factor(frequency_));
      for (std::size_t i = 0; i < values.size(); ++i) {
        const Complex factor = modulus / term.factor(frequency_of(std::sqrt(values[i].real())));
        for (const Index row : term.rows) x[i * n + std::size_t(row)] *= factor;
      }
    }
  }

 private:
  const std::vector<SystemTerm>& terms_;
  double frequency_;
};

/// Real factors as an approximate inverse of T.
linalg::Divide divide_by(const linalg::EigenResult<double>& of, const WallFactors& walls) {
  return [solver = of.solver, &walls](const std::vector<Complex>& values, Complex* x) {
    const auto n = Eigen::Index(solver->info().unknowns), count = Eigen::Index(values.size());
    Eigen::Map<Eigen::MatrixXcd> columns(x, n, count);
    Eigen::MatrixXd parts(n, 2 * count);
    parts << columns.real(), columns.imag();
    solver->solve(parts.data(), Index(2 * count));
    columns.real() = parts.leftCols(count);
    columns.imag() = parts.rightCols(count);
    walls.apply(values, std::size_t(n), x);
  };
}

linalg::SplitMatrix split(const Operator& op, const std::vector<double>& points) {
  linalg::SplitMatrix split{op.matrices(), {}};
  for (const SystemTerm& term : op.terms()) {
    auto& factors = split.factors.emplace_back();
    for (const double square : points) factors.push_back(term.factor(frequency_of(std::sqrt(square))));
  }
  return split;
}

/// A mode in the unknowns of T.
struct Found {
  Complex square;
  Vector x;
  double residual;
};

/// x without its part in the span of the columns of `known`, with (leftᵀ known) as scalar products.
Vector without(const Eigen::MatrixXcd& known, const Eigen::MatrixXcd& left, const Vector& x) {
  return x - known * (left.transpose() * known).fullPivLu().solve(left.transpose() * x);
}

/// Empty if the steps do not converge. @param known modes to which they shall not lead, as columns: those of
/// a symmetric T at one λ are orthogonal in T'
std::optional<Found> correct(const Operator& op, Complex square, Vector x,
                             const linalg::DirectOptions& direct, const Eigen::MatrixXcd& known = {}) {
  const auto deflated = [&](const Csr& d, const Vector& of) -> Vector {
    if (known.cols() == 0) return of;
    if (!op.is_symmetric()) return without(known, known.conjugate(), of);
    Eigen::MatrixXcd left = known;
    for (Eigen::Index i = 0; i < left.cols(); ++i) left.col(i) = product(d, Vector(known.col(i)));
    return without(known, left, of);
  };
  const auto solver = linalg::make_direct_solver<Complex>(direct);
  // Beside known modes nothing is known of x: inverse iteration first.
  const int steps_at_start = known.cols() > 0 ? 2 : 0;
  for (int step = 0; step < max_steps; ++step) {
    const Csr t = op.at(square), d = op.derivative(square);
    x = deflated(d, x);
    const Vector load = product(d, x);
    if (step > 0) {  // without a factorisation that would be singular to rounding
      const double residual = product(t, x).norm() / (std::abs(square) * load.norm());
      if (residual < tolerance) return Found{square, std::move(x), residual};
    }
    if (step == 0) solver->analyse(t);
    solver->factor(t);
    Vector y = load;
    solver->solve(y.data());
    y = deflated(d, y);
    if (step < steps_at_start) {
      x = y / y.norm();
      continue;
    }
    // Symmetric T: xᵀ is the left vector, and the step converges cubically; xᵀT'x of a travelling wave would
    // vanish, and any other row is Newton's step.
    const Complex change =
        op.is_symmetric() ? (x.transpose() * load)(0) / (load.transpose() * y)(0) : load.dot(x) / load.dot(y);
    square -= change;
    x = y / y.norm();
    if (std::abs(change) > 0.5 * std::abs(square)) break;
    if (std::abs(change) < tolerance * std::abs(square)) {
      const double residual = product(op.at(square), x).norm() / (std::abs(square) * product(d, x).norm());
      return Found{square, std::move(x), residual};
    }
  }
  return std::nullopt;
}

/// The same, but an error for one mode does not affect the others.
std::optional<Found> correct_or_lose(const Operator& op, Complex square, const Vector& x,
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

/// Pairs from a start, in one space. @param split as in MatrixFunction
linalg::NonlinearPairs correct_together(const Operator& op, linalg::NonlinearPairs pairs,
                                        const linalg::Divide& divide, const Split& split = {}) {
  pairs.residuals.assign(pairs.values.size(), 1.0);
  try {
    return linalg::correct_together({[&](Complex square) { return op.at(square); }, split, op.is_symmetric()},
                                    pairs, op.tolerance_together(), divide);
  } catch (const InputError&) {  // a table does not cover all of them
    return pairs;
  } catch (const NumericalError&) {  // factorisation at their middle
    return pairs;
  }
}

/// All modes from those without loss; empty if they differ too much.
std::optional<linalg::NonlinearPairs> from_lossless(const Operator& op, double frequency,
                                                    const linalg::EigenOptions& options) try {
  if (!op.is_symmetric() || op.terms().empty() || !is_nearly_lossless(op, frequency)) return std::nullopt;
  const auto start = lossless_modes(op, frequency, options);
  if (start.missing > 0 || start.values.empty()) return std::nullopt;
  const WallFactors walls(op.terms(), frequency);
  linalg::NonlinearPairs pairs{start.values, {start.vectors.begin(), start.vectors.end()}, {}};
  walls.apply(pairs.values, start.vectors.size() / start.values.size(), pairs.vectors.data());
  pairs = correct_together(op, std::move(pairs), divide_by(start, walls),
                           [&](const auto& points) { return split(op, points); });
  if (std::ranges::max(pairs.residuals) > op.tolerance_together()) return std::nullopt;
  return pairs;
} catch (const InputError&) {  // a table does not cover the modes without loss
  return std::nullopt;
} catch (const NumericalError&) {  // no factors
  return std::nullopt;
}

/// All modes from the linearised problem, as far as they converge together.
linalg::NonlinearPairs from_linearised(const Operator& op, const linalg::EigenOptions& options,
                                       LostModes* lost) {
  const auto start = linearised(op, options);
  if (lost) lost->count += start.missing;
  bool is_factored = false;
  return correct_together(op, {start.values, start.vectors, {}}, [&](const auto& values, Complex* x) {
    // Off the real axis: there the eigenvalues of a lossless problem do not make it singular.
    if (!std::exchange(is_factored, true))
      start.solver->factor(op.at(Complex(0.5, 5e-4) * (start.values.front() + start.values.back()).real()));
    start.solver->solve(x, Index(values.size()));
  });
}

/// The vectors of those modes that have this λ, as columns.
Eigen::MatrixXcd of_one_value(const std::vector<Found>& modes, Complex square) {
  Eigen::MatrixXcd vectors(modes.empty() ? 0 : modes[0].x.size(), 0);
  for (const Found& mode : modes) {
    if (std::abs(mode.square - square) > 1e-8 * std::abs(square)) continue;
    vectors.conservativeResize(Eigen::NoChange, vectors.cols() + 1);
    vectors.rightCols<1>() = mode.x.normalized();
  }
  return vectors;
}

/// Newton's steps may lead from two starts to one mode; degenerate modes are independent of one another, by
/// more than 2 degrees.
bool is_known(const std::vector<Found>& modes, const Found& mode) {
  const auto known = of_one_value(modes, mode.square);
  return known.cols() > 0 && without(known, known.conjugate(), mode.x).norm() < 0.04 * mode.x.norm();
}

/// A degenerate mode beside known ones, to which a start led that was meant for it. @param highest λ of those
/// that are wanted
std::optional<Found> further_mode(const Operator& op, const std::vector<Found>& modes, Complex square,
                                  double highest, const linalg::DirectOptions& direct) try {
  const auto known = of_one_value(modes, square);
  Vector start(known.rows());  // has parts in all directions
  for (Eigen::Index i = 0; i < start.size(); ++i) start[i] = std::sin(1.0 + double(i) * double(i));
  // At λ itself T is singular.
  auto mode = correct(op, square * (1 + 1e-6), start, direct, known);
  if (!mode || is_known(modes, *mode) || mode->square.real() > highest * (1 + 1e-6)) return std::nullopt;
  return mode;
} catch (const NumericalError&) {
  return std::nullopt;
} catch (const InputError&) {  // outside of a table
  return std::nullopt;
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
  linalg::DirectOptions direct = wanted.direct;
  direct.symmetry = op.is_symmetric() ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  direct.pivot_threshold = std::max(direct.pivot_threshold, 0.01);
  const double square = std::pow(wavenumber(target), 2);
  linalg::EigenOptions options;
  options.count = wanted.modes;
  options.target = square;
  options.above = true;
  options.partial = lost != nullptr;
  options.drop_below = 1e-4 * square;
  options.tolerance = 1e-11;
  options.symmetric = op.is_symmetric();
  options.direct = direct;
  auto quick = from_lossless(op, target, options);
  const auto pairs = quick ? *std::move(quick) : from_linearised(op, options, lost);
  const auto n = Eigen::Index(pairs.vectors.size() / std::max<std::size_t>(pairs.values.size(), 1));
  double highest = 0;
  for (const Complex value : pairs.values) highest = std::max(highest, value.real());
  std::vector<Found> modes;
  for (std::size_t i = 0; i < pairs.values.size(); ++i) {
    const Vector x = Eigen::Map<const Vector>(&pairs.vectors[i * std::size_t(n)], n);
    auto mode = pairs.residuals[i] < op.tolerance_together()
                    ? Found{pairs.values[i], x, pairs.residuals[i]}
                    : correct_or_lose(op, pairs.values[i], x, direct, lost);
    if (!mode) continue;
    const double frequency = frequency_of(std::sqrt(mode->square)).real();
    if (is_known(modes, *mode)) mode = further_mode(op, modes, mode->square, highest, direct);
    if (mode) {
      modes.push_back(std::move(*mode));
    } else if (lost) {
      ++lost->count;
      lost->places.push_back(
          fmt::format("two initial modes converged to one at {:.6g} GHz; a mode near it may be missing",
                      1e-9 * frequency));
    } else {
      log::warn("two initial modes converged to one at {:.6g} GHz; a mode near it may be missing",
                1e-9 * frequency);
    }
  }
  std::vector<NonlinearMode> on_space;
  for (const Found& mode : modes) on_space.push_back({mode.square, op.on_space(mode.x), mode.residual});
  return on_space;
}

}  // namespace curlew::fem
