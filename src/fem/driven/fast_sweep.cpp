// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/fast_sweep.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <cstdint>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "fem/driven/system_terms.hpp"
#include "fem/system/boundary_conditions.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;

/// Random signs turn long columns into short ones of nearly the same norm: residuals then cost nothing.
/// Source: Balabanov and Nouy (2019), Adv. Comput. Math. 45, randomized linear algebra for model reduction.
constexpr Eigen::Index sketch_rows = 48;

std::uint64_t random_bits(std::uint64_t i) {  // splitmix64: the same signs in every run
  i += 0x9e3779b97f4a7c15ULL;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9ULL;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebULL;
  return i ^ (i >> 31);
}

Matrix sketch(const Matrix& columns) {
  Matrix out = Matrix::Zero(sketch_rows, columns.cols());
#pragma omp parallel for
  for (Eigen::Index c = 0; c < columns.cols(); ++c) {
    for (Eigen::Index i = 0; i < columns.rows(); ++i) {
      const std::uint64_t bits = random_bits(std::uint64_t(i));
      for (Eigen::Index j = 0; j < sketch_rows; ++j)
        out(j, c) += (bits >> j) & 1 ? columns(i, c) : -columns(i, c);
    }
  }
  return out / std::sqrt(double(sketch_rows));
}

/// The small system: projections of all terms and loads on the basis.
class ReducedModel {
 public:
  ReducedModel(const DrivenProblem& problem, double frequency)
      : terms_(system_terms(problem.model(), problem.assembler(), problem.ports())),
        n_(problem.space().num_dofs()),
        loads_(problem.loads(frequency)),
        num_modes_(Eigen::Index(problem.all_modes().size())),
        reported_(problem.reported()) {
    basis_.resize(n_, 0);
    for (const auto& term : terms_) {
      matrices_.push_back(problem.create_matrix());
      term.assemble(matrices_.back());
      projected_.emplace_back(0, 0);
      sketched_images_.emplace_back(sketch_rows, 0);
    }
    sketched_loads_ = sketch(Eigen::Map<const Matrix>(loads_.data(), n_, num_modes_));
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

  /// S, and an indicator of its error: by symmetry the error of S is quadratic in the residual, and it grows
  /// with the field, that is near a resonance.
  struct Estimate {
    Eigen::MatrixXcd s;
    double indicator;
  };
  Estimate at(double frequency, const std::vector<ModeState>& modes) const {
    Matrix a = Matrix::Zero(size(), size()), sketched = Matrix::Zero(sketch_rows, size());
    for (std::size_t t = 0; t < terms_.size(); ++t) {
      const Complex factor = terms_[t].factor(frequency);
      a += factor * projected_[t];
      sketched += factor * sketched_images_[t];
    }
    const Matrix x = linalg::solve(std::move(a), reduced_loads_);
    const auto result = scattering(reduced_loads_.transpose() * x, modes, reported_, 2 * pi * frequency);
    // A V x - F y, the residual of the whole system with its modal terms
    const Matrix field = x * result.weights, load = sketched_loads_ * result.weights;
    const double residual = (sketched * field - load).norm() / load.norm();
    return {result.s, residual * residual * field.norm()};
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
      sketched_images_[t].conservativeResize(Eigen::NoChange, size);
      sketched_images_[t].rightCols(added) = sketch(image);
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
  std::vector<Matrix> projected_, sketched_images_;
  Matrix reduced_loads_, sketched_loads_;
};

double difference(const Eigen::MatrixXcd& a, const Eigen::MatrixXcd& b) {
  return (a - b).cwiseAbs().maxCoeff();
}

/// The model at all frequencies, and where its error is indicated to be largest.
struct Scan {
  std::vector<ReducedModel::Estimate> at;
  std::size_t worst = 0;
  double change = 0;  ///< of S since the last scan
};

Scan scan(const ReducedModel& model, const std::vector<double>& frequencies,
          const std::vector<std::vector<ModeState>>& modes, const Scan& last) {
  Scan now;
  now.at.resize(frequencies.size());
#pragma omp parallel for schedule(dynamic, 16)
  for (std::size_t i = 0; i < frequencies.size(); ++i) now.at[i] = model.at(frequencies[i], modes[i]);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    if (now.at[i].indicator > now.at[now.worst].indicator) now.worst = i;
    if (!last.at.empty()) now.change = std::max(now.change, difference(now.at[i].s, last.at[i].s));
  }
  return now;
}

}  // namespace

void require_fast_sweep(const DrivenProblem& problem) {
  if (!problem.is_reciprocal()) throw InputError("an adaptive sweep needs reciprocal (symmetric) materials");
  if (!problem.model().periodicity.empty())
    throw InputError("an adaptive sweep knows no [[periodic]] faces: leave adaptive_tolerance out");
  require_first_order(problem.model(), "an adaptive sweep");
  if (problem.has_dispersive_ports())
    throw InputError(
        "an adaptive sweep needs ports filled by one isotropic medium, with metallic or magnetic walls");
}

FastSweepResult fast_sweep(DrivenProblem& problem, const std::vector<double>& frequencies,
                           const FastSweepOptions& options) {
  require_fast_sweep(problem);
  std::vector<std::vector<ModeState>> modes;
  modes.reserve(frequencies.size());
  for (const double f : frequencies) modes.push_back(problem.mode_states(f));
  ReducedModel model(problem, frequencies.at(0));  // loads are the same at all of them
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
  int good = 0;
  // Twice in a row: one lucky point is not convergence.
  while (good < 2 && int(result.solved.size()) < options.max_solutions) {
    const std::size_t next = now.worst;
    const double error = difference(take(frequencies[next]), now.at[next].s);
    const Scan last = std::move(now);
    now = scan(model, frequencies, modes, last);
    result.error_estimate = std::max(error, now.change);
    log::debug("fast sweep: {} solutions, basis {}, error {:.1e} at {:.6g} Hz, change {:.1e}",
               result.solved.size(), model.size(), error, frequencies[next], now.change);
    good = result.error_estimate < options.tolerance ? good + 1 : 0;
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
    solution.scattering.s = now.at[i].s;
    result.solutions.push_back(std::move(solution));
  }
  return result;
}

}  // namespace curlew::fem
