// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/refinement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/huge_pages.hpp"
#include "base/log.hpp"

namespace curlew::linalg {
namespace {

constexpr int max_steps = 10;
constexpr double aim = 0.01;        // of the tolerance: corrections continue to there, as each costs little
constexpr double stagnation = 0.5;  // a step that gains less than this factor is the last one
constexpr double slow = 0.1;        // the same of factors in single precision, where iterations gain more

template <class T>
double norm2(const T* v, Index n) {
  double sum = 0;
  for (Index i = 0; i < n; ++i) sum += double(std::norm(v[i]));
  return std::sqrt(sum);
}

template <class T>
double norm_max(const T* v, Index n) {
  double largest = 0;
  for (Index i = 0; i < n; ++i) {
    const double size = std::abs(v[i]);
    if (!(size <= largest)) largest = size;  // a NaN stays
  }
  return largest;
}

/// r = b - r. @return ||r|| / ||b||, ||r|| for b = 0
template <class T>
double subtract_from(const T* b, T* r, Index n) {
  for (Index i = 0; i < n; ++i) r[i] = b[i] - r[i];
  const double size = norm2(b, n);
  return norm2(r, n) / (size > 0 ? size : 1);
}

/// Columns in host memory: factors are read once for many right-hand sides.
template <class T>
class HostColumns final : public RefinedColumns {
 public:
  HostColumns(const RefinedSystem<T>& system, const T* b, T* x, Index num_rhs, RefinedFrom from)
      : system_(system), b_(b), x_(x), num_rhs_(num_rhs), from_(from), r_(huge_vector<T>(size())) {}

  void start(double* residuals) override {
    if (from_ == RefinedFrom::substitution) system_.substitute(b_, x_, num_rhs_);
    system_.multiply(x_, r_.data(), num_rhs_);
    each_column([&](Index c) { residuals[c] = subtract_from(b_ + at(c), &r_[at(c)], system_.num_rows); });
  }

  void try_correction(double* residuals, double* corrections) override {
    const Index n = system_.num_rows;
    if (trial_.empty()) trial_ = huge_vector<T>(size()), trial_r_ = huge_vector<T>(size());
    system_.substitute(r_.data(), trial_.data(), num_rhs_);
    each_column([&](Index c) {
      T *x = x_ + at(c), *trial = &trial_[at(c)];
      const double length = norm2(x, n);
      corrections[c] = length > 0 ? norm2(trial, n) / length : 0;
      for (Index i = 0; i < n; ++i) trial[i] += x[i];
    });
    system_.multiply(trial_.data(), trial_r_.data(), num_rhs_);
    each_column([&](Index c) { residuals[c] = subtract_from(b_ + at(c), &trial_r_[at(c)], n); });
  }

  void take(Index c) override {
    std::copy_n(&trial_[at(c)], system_.num_rows, x_ + at(c));
    std::copy_n(&trial_r_[at(c)], system_.num_rows, &r_[at(c)]);
  }

  LargestOfColumn largest(Index c) const override {
    const Index n = system_.num_rows;
    return {norm_max(x_ + at(c), n), norm_max(b_ + at(c), n), norm_max(&r_[at(c)], n)};
  }

  double norm_of_matrix() const override { return system_.norm_max(); }

  void finish() override {}

 private:
  std::size_t size() const { return std::size_t(system_.num_rows) * std::size_t(num_rhs_); }
  std::size_t at(Index column) const { return std::size_t(system_.num_rows) * std::size_t(column); }
  bool is_large() const { return size() > 20000; }
  template <class Work>
  void each_column(const Work& work) const {
#pragma omp parallel for schedule(dynamic) if (is_large())
    for (Index c = 0; c < num_rhs_; ++c) work(c);
  }

  const RefinedSystem<T>& system_;
  const T* b_;
  T* x_;
  Index num_rhs_;
  RefinedFrom from_;
  std::vector<T> r_;                // [unknowns, num_rhs] b - A x
  std::vector<T> trial_, trial_r_;  // as x and r, of a step that may be taken
};

class Refinement {
 public:
  Refinement(RefinedColumns& columns, Index num_rows, Index num_rhs, double tolerance, bool is_short = false)
      : columns_(columns),
        num_rows_(num_rows),
        tolerance_(tolerance),
        is_short_(is_short),
        residuals_(std::size_t(num_rhs)),
        corrections_(std::size_t(num_rhs), is_short ? std::numeric_limits<double>::infinity() : 0.0) {}

  RefinedSolution run() {
    columns_.start(residuals_.data());
    int steps = 0;
    while (steps < max_steps && !are_done() && std::isfinite(worst())) {
      ++steps;
      if (!correct()) break;
    }
    columns_.finish();
    return summary(steps);
  }

 private:
  double worst() const {
    double largest = 0;
    for (const double r : residuals_)
      if (!(r <= largest)) largest = r;
    return largest;
  }
  bool is_unsure(std::size_t c) const { return is_short_ && corrections_[c] > rounding_correction; }
  bool is_done(std::size_t c) const { return residuals_[c] <= aim * tolerance_ && !is_unsure(c); }
  bool are_done() const {
    std::size_t c = 0;
    while (c < residuals_.size() && is_done(c)) ++c;
    return c == residuals_.size();
  }

  /// A step for all columns; each keeps the better solution. @return false if no column gained enough
  bool correct() {
    std::vector<double> after(residuals_.size()), lengths(residuals_.size());
    columns_.try_correction(after.data(), lengths.data());
    bool gained = false;
    for (std::size_t c = 0; c < after.size(); ++c) {
      if (is_done(c)) continue;
      corrections_[c] = lengths[c];
      if (!(after[c] < residuals_[c])) continue;
      gained = gained || after[c] < (is_short_ ? slow : stagnation) * residuals_[c];
      residuals_[c] = after[c];
      columns_.take(Index(c));
    }
    return gained;
  }

  RefinedSolution summary(int steps) const {
    RefinedSolution all;
    all.steps = steps;
    all.residual = worst();
    if (all.residual <= tolerance_) {
      for (std::size_t c = 0; c < residuals_.size(); ++c) all.is_unsure = all.is_unsure || is_unsure(c);
      return all;
    }
    const double matrix = columns_.norm_of_matrix();
    bool at_rounding = std::isfinite(all.residual) && !is_short_;
    for (std::size_t c = 0; c < residuals_.size(); ++c) {
      if (residuals_[c] <= tolerance_) continue;
      const LargestOfColumn largest = columns_.largest(Index(c));
      const double backward = largest.r / (matrix * largest.x + largest.b), change = corrections_[c];
      all.backward_error = std::max(all.backward_error, backward);
      all.correction = std::max(all.correction, change);
      at_rounding =
          at_rounding && backward <= rounding_backward_error(num_rows_) && change <= rounding_correction;
    }
    all.at_rounding = at_rounding;
    return all;
  }

  RefinedColumns& columns_;
  Index num_rows_;
  double tolerance_;
  bool is_short_;
  std::vector<double> residuals_, corrections_;  // [num_rhs]
};

}  // namespace

double rounding_backward_error(Index unknowns) {
  return std::max(1e-15, double(unknowns) * std::numeric_limits<double>::epsilon());
}

void refuse_solution(const RefinedSolution& s, double tolerance) {
  throw NumericalError(fmt::format(
      "direct solver: relative residual {:.1e} after refinement, {:.1e} required (solver.tolerance): the "
      "matrix is "
      "nearly singular (backward error {:.1e}, a further correction changes the solution by {:.1e}): cells "
      "far "
      "below the wavelength, a frequency on a lossless resonance, or unknowns without an equation",
      s.residual, tolerance, s.backward_error, s.correction));
}

template <class T>
RefinedSolution refine(const RefinedSystem<T>& system, const T* b, T* x, Index num_rhs, double tolerance,
                       RefinedFrom from, const Accelerate<T>& accelerate) {
  const auto run = [&](const RefinedSystem<T>& by, RefinedFrom begin) {
    HostColumns<T> columns(by, b, x, num_rhs, begin);
    return Refinement(columns, system.num_rows, num_rhs, tolerance, system.is_short).run();
  };
  const RefinedSolution plain = run(system, from);
  if (!system.is_short || !accelerate || is_solved(plain, tolerance)) return plain;
  log::debug(
      "direct solver: plain refinement ends at {:.1e} after {} steps: continued by GMRES with the factors as "
      "preconditioner",
      plain.residual, plain.steps);
  return run(accelerate(system), RefinedFrom::given);
}

template <class T>
RefinedSolution refine(DirectSolver<T>& solver, const SharedMatrix<T>& a, const T* b, T* x, Index num_rhs,
                       double tolerance, const Accelerate<T>& accelerate) {
  if (const auto beside = a.is_spread() ? nullptr : solver.refined_columns(a.pattern(), b, x, num_rhs))
    return Refinement(*beside, a.num_rows(), num_rhs, tolerance).run();
  const RefinedSystem<T> system{a.num_rows(), [&](const T* from, T* to, Index n) { a.multiply(from, to, n); },
                                [&](const T* from, T* to, Index n) {
                                  std::copy_n(from, std::size_t(a.num_rows()) * std::size_t(n), to);
                                  solver.solve(to, n);
                                },
                                [&] { return a.norm_max(); }, solver.info().has_single_precision};
  return refine(system, b, x, num_rhs, tolerance, RefinedFrom::substitution, accelerate);
}

template <class T>
RefinedSolution solve_refined(DirectSolver<T>& solver, const SharedMatrix<T>& a, const T* b, T* x,
                              Index num_rhs, double tolerance, const Accelerate<T>& accelerate) {
  RefinedSolution solution;
  std::exception_ptr failure;
  const auto succeeds = [&] {
    failure = nullptr;
    try {
      solution = refine(solver, a, b, x, num_rhs, tolerance, accelerate);
    } catch (const NumericalError&) {  // the result is not finite
      failure = std::current_exception();
    }
    return !failure && is_solved(solution, tolerance);
  };
  while (!succeeds()) {
    if (solver.require_digits())
      solver.factor(a.own());
    else if (failure)
      std::rethrow_exception(failure);
    else
      refuse_solution(solution, tolerance);
  }
  return solution;
}

#define CURLEW_INSTANTIATE_REFINEMENT(T)                                                                 \
  template RefinedSolution refine(const RefinedSystem<T>&, const T*, T*, Index, double, RefinedFrom,     \
                                  const Accelerate<T>&);                                                 \
  template RefinedSolution refine(DirectSolver<T>&, const SharedMatrix<T>&, const T*, T*, Index, double, \
                                  const Accelerate<T>&);                                                 \
  template RefinedSolution solve_refined(DirectSolver<T>&, const SharedMatrix<T>&, const T*, T*, Index,  \
                                         double, const Accelerate<T>&);
CURLEW_INSTANTIATE_REFINEMENT(Complex)
CURLEW_INSTANTIATE_REFINEMENT(double)

}  // namespace curlew::linalg
