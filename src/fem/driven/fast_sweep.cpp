// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/fast_sweep.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/driven/system_terms.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;

/// The small system: projections of all terms and loads on the basis.
class ReducedModel {
 public:
  explicit ReducedModel(const DrivenProblem& problem)
      : terms_(system_terms(problem.model(), problem.assembler(), problem.ports())),
        n_(problem.space().num_dofs()),
        loads_(problem.loads()),
        num_modes_(Eigen::Index(problem.all_modes().size())),
        reported_(problem.reported()) {
    basis_.resize(n_, 0);
    for (const auto& term : terms_) {
      matrices_.push_back(problem.create_matrix());
      term.assemble(matrices_.back());
      projected_.emplace_back(0, 0);
    }
  }

  /// Real and imaginary parts of new solutions join the basis, those that are new in direction.
  void enlarge(const std::vector<Complex>& x) {
    const auto old = basis_.cols();
    const Eigen::Map<const Matrix> columns(x.data(), n_, Eigen::Index(x.size()) / n_);
    for (Eigen::Index j = 0; j < columns.cols(); ++j) {
      add_direction(columns.col(j).real());
      add_direction(columns.col(j).imag());
    }
    if (basis_.cols() > old) project(old);
  }

  Eigen::MatrixXcd scattering_at(double frequency, const std::vector<ModeState>& modes) const {
    Matrix a = Matrix::Zero(basis_.cols(), basis_.cols());
    for (std::size_t t = 0; t < terms_.size(); ++t) a += terms_[t].factor(frequency) * projected_[t];
    const Matrix g = reduced_loads_.transpose() * a.partialPivLu().solve(reduced_loads_);
    return scattering(g, modes, reported_, 2 * pi * frequency).s;
  }

  Eigen::Index size() const { return basis_.cols(); }

 private:
  void add_direction(Eigen::VectorXd v) {
    const double before = v.norm();
    if (before == 0) return;
    for (int twice = 0; twice < 2; ++twice) v -= basis_ * (basis_.transpose() * v);
    if (v.norm() < 1e-9 * before) return;
    basis_.conservativeResize(Eigen::NoChange, basis_.cols() + 1);
    basis_.rightCols(1) = v.normalized();
  }

  /// Columns from `old` on, and by symmetry the rows: an old basis vector is never multiplied again.
  void project(Eigen::Index old) {
    const auto size = basis_.cols(), added = size - old;
    const Matrix fresh = basis_.rightCols(added).cast<Complex>();
    Matrix image(n_, added);
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      linalg::multiply(matrices_[t], fresh.data(), image.data(), Index(added));
      projected_[t].conservativeResize(size, size);
      projected_[t].rightCols(added) = basis_.transpose() * image;
      projected_[t].bottomRows(added) = projected_[t].rightCols(added).transpose();
    }
    reduced_loads_ = basis_.transpose() * Eigen::Map<const Matrix>(loads_.data(), n_, num_modes_);
  }

  std::vector<SystemTerm> terms_;
  Eigen::Index n_;
  std::vector<Complex> loads_;
  Eigen::Index num_modes_;
  std::vector<Eigen::Index> reported_;
  Eigen::MatrixXd basis_;
  std::vector<linalg::Csr<Complex>> matrices_;
  std::vector<Matrix> projected_;
  Matrix reduced_loads_;
};

double difference(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// S of the model at all frequencies, and where it changed most since the last time.
struct Scan {
  std::vector<Eigen::MatrixXcd> s;
  std::size_t worst = 0;
  double change = 0;
};

Scan scan(const ReducedModel& model, const std::vector<double>& frequencies,
          const std::vector<std::vector<ModeState>>& modes, const Scan& last) {
  Scan now;
  now.s.resize(frequencies.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < frequencies.size(); ++i)
    now.s[i] = model.scattering_at(frequencies[i], modes[i]);
  for (std::size_t i = 0; i < frequencies.size() && !last.s.empty(); ++i) {
    const double change = difference(now.s[i], last.s[i]);
    if (change > now.change) now.worst = i, now.change = change;
  }
  return now;
}

}  // namespace

FastSweepResult fast_sweep(DrivenProblem& problem, const std::vector<double>& frequencies,
                           const FastSweepOptions& options) {
  if (!problem.is_reciprocal()) throw InputError("an adaptive sweep needs reciprocal (symmetric) materials");
  std::vector<std::vector<ModeState>> modes;
  for (const double f : frequencies) modes.push_back(problem.mode_states(f));
  ReducedModel model(problem);
  FastSweepResult result;
  const auto take = [&](double f) {
    const DrivenSolution solution = problem.solve(f);
    if (options.on_solution) options.on_solution(solution);
    result.solved.push_back(f);
    model.enlarge(solution.x);
    return solution.scattering.s;
  };
  const auto [low, high] = std::minmax_element(frequencies.begin(), frequencies.end());
  take(*low);
  take(*high);
  Scan now = scan(model, frequencies, modes, {});
  // The middle of the band is where a model of the two ends knows least.
  std::size_t next = frequencies.size() / 2;
  int good = 0;
  // Twice in a row: one lucky point is not convergence.
  while (good < 2 && int(result.solved.size()) < options.max_solutions) {
    const Eigen::MatrixXcd predicted = now.s[next];
    const double error = difference(take(frequencies[next]), predicted);
    const Scan last = std::move(now);
    now = scan(model, frequencies, modes, last);
    result.error_estimate = std::max(error, now.change);
    log::debug("fast sweep: {} solutions, basis {}, error {:.1e} at {:.6g} Hz, change {:.1e}",
               result.solved.size(), model.size(), error, frequencies[next], now.change);
    good = result.error_estimate < options.tolerance ? good + 1 : 0;
    next = now.worst;
  }
  result.converged = good >= 2;
  if (!result.converged) {
    throw NumericalError(
        fmt::format("adaptive sweep: error {:.1e} after {} full solutions, {:.1e} asked (raise max_solutions "
                    "or narrow the band)",
                    result.error_estimate, result.solved.size(), options.tolerance));
  }
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    DrivenSolution solution;
    solution.frequency = frequencies[i];
    for (const Eigen::Index m : problem.reported()) solution.modes.push_back(modes[i][std::size_t(m)]);
    solution.scattering.s = now.s[i];
    result.solutions.push_back(std::move(solution));
  }
  return result;
}

}  // namespace curlew::fem
