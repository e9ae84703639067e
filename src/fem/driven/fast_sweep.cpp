// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/fast_sweep.hpp"

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <algorithm>
#include <optional>

#include "base/constants.hpp"
#include "fem/driven/rational_sweep.hpp"
#include "fem/system/system_sum.hpp"
#include "linalg/dense/decompositions.hpp"
#include "linalg/dense/tall_products.hpp"
#include "linalg/direct/term_product.hpp"
#include "linalg/sampling/sketch.hpp"

namespace curlew::fem {
namespace {

using Matrix = Eigen::MatrixXcd;

/// The terms of a system: those that it stores itself, or others.
class Terms {
 public:
  explicit Terms(DrivenProblem& problem) : stored_(problem.stored_sum()) {
    if (stored_ != nullptr) return;
    pattern_ = problem.create_matrix();
    own_.emplace(system_terms(problem.model(), problem.assembler(), problem.ports()), pattern_);
    pattern_.values = {};  // of the sum, which is not needed
  }
  Terms(const Terms&) = delete;
  Terms& operator=(const Terms&) = delete;
  const SystemSum& get() const { return stored_ != nullptr ? *stored_ : *own_; }

 private:
  const SystemSum* stored_;
  linalg::Csr<Complex> pattern_;
  std::optional<SystemSum> own_;
};

/// The small system: projections of all terms and loads on the basis.
class ReducedModel : public SweepModel {
 public:
  ReducedModel(DrivenProblem& problem, double frequency)
      : problem_(problem),
        terms_(problem),
        n_(problem.space().num_dofs()),
        loads_(problem.load_columns(frequency)),
        num_modes_(loads_.cols()),
        projected_(terms().size()),
        sketched_images_(terms().size(), Matrix(linalg::sketch_rows, 0)),
        sketched_loads_(linalg::sketch(Matrix(loads_))) {}

  /// Adds linearly independent real and imaginary parts of the fields to the basis.
  void add(const DrivenSolution& solution) override {
    const auto& x = solution.x;
    const auto old = size();
    const Eigen::Map<const Matrix> columns(x.data(), n_, Eigen::Index(x.size()) / n_);
    for (Eigen::Index j = 0; j < columns.cols(); ++j) {
      add_direction(columns.col(j).real());
      add_direction(columns.col(j).imag());
    }
    if (size() > old) project(old);
  }

  /// By symmetry the error of S is quadratic in the residual, and it grows with the field, that is near a
  /// resonance.
  Estimate at(double frequency, const std::vector<ModeState>& modes) const override {
    std::vector<Complex> references;
    for (std::size_t m = 0; m < modes.size(); ++m)
      if (problem_.all_modes()[m].mode == 0) references.push_back(modes[m].reference);
    const auto factors = terms_.get().factors(frequency, references);
    Matrix a = Matrix::Zero(size(), size()), sketched = Matrix::Zero(linalg::sketch_rows, size());
    for (std::size_t t = 0; t < factors.size(); ++t) {
      a += factors[t] * projected_[t];
      sketched += factors[t] * sketched_images_[t];
    }
    // Residual of the full system A + F D Fᵀ, since A is that of a closed device, which resonates.
    Eigen::VectorXcd d(num_modes_);
    for (Eigen::Index m = 0; m < num_modes_; ++m)
      d[m] = modes[std::size_t(m)].admittance - modes[std::size_t(m)].reference;
    a += reduced_loads_ * d.asDiagonal() * reduced_loads_.transpose();
    const auto& reported = problem_.reported();
    const Matrix x = linalg::solve(std::move(a), reduced_loads_(Eigen::all, reported));
    const Matrix v = reduced_loads_.transpose() * x;
    const auto result = scattering_of_solutions(v, modes, reported, 2 * pi * frequency);
    // A V x - F y, its residual; y = 2 C a - D v
    Matrix y = -(d.asDiagonal() * v);
    for (std::size_t i = 0; i < reported.size(); ++i) y(reported[i], Eigen::Index(i)) += 1;
    const Matrix field = x * result.weights, load = sketched_loads_ * y * result.weights;
    const double residual = (sketched * field - load).norm() / load.norm();
    return {result.s, residual * residual * field.norm()};
  }

 private:
  Eigen::Index size() const { return size_; }
  auto basis() const { return basis_.leftCols(size_); }
  const std::vector<linalg::MatrixTerm>& terms() const { return terms_.get().sum().terms(); }
  void add_direction(Eigen::VectorXd v) {
    const double before = v.norm();
    if (before == 0) return;
    for (int twice = 0; twice < 2; ++twice) {
      const Eigen::VectorXd along = linalg::tall_product(basis(), v);
      linalg::each_tall_block(n_, [&](Eigen::Index first, Eigen::Index rows) {
        v.segment(first, rows) -= basis().middleRows(first, rows) * along;
      });
    }
    if (v.norm() < 1e-9 * before) return;
    if (size_ == basis_.cols()) basis_.conservativeResize(n_, size_ + 32);
    basis_.col(size_++) = v.normalized();
  }

  /// Columns from `old` on, and by symmetry the rows: products of old basis vectors are reused.
  void project(Eigen::Index old) {
    const auto size = size_, added = size - old;
    Eigen::MatrixXd image(n_, added);
    for (std::size_t t = 0; t < terms().size(); ++t) {
      auto& sketched = sketched_images_[t];
      auto& projected = projected_[t];
      sketched.conservativeResize(Eigen::NoChange, size);
      projected.conservativeResize(size, size);
      sketched.rightCols(added).setZero(), projected.rightCols(added).setZero();
      const auto add_part = [&](const std::vector<double>& part, Complex unit) {
        if (part.empty()) return;
        linalg::multiply(terms_.get().sum(), terms()[t], part, basis().col(old).data(), image.data(),
                         Index(added));
        sketched.rightCols(added) += unit * linalg::sketch(image);
        projected.rightCols(added) += unit * linalg::tall_product(basis(), image);
      };
      add_part(terms()[t].re, 1);
      add_part(terms()[t].im, Complex(0, 1));
      if (old > 0)  // the block of new rows and columns is done already
        projected.bottomLeftCorner(added, old) = projected.topRightCorner(old, added).transpose();
    }
    project_loads(old);
  }

  /// Only unknowns on the ports' faces have entries in the loads.
  void project_loads(Eigen::Index old) {
    reduced_loads_.conservativeResize(size_, num_modes_);
    reduced_loads_.bottomRows(size_ - old).setZero();
    for (Eigen::Index m = 0; m < num_modes_; ++m)
      for (Loads::InnerIterator entry(loads_, m); entry; ++entry)
        for (Eigen::Index i = old; i < size_; ++i)
          reduced_loads_(i, m) += basis_(entry.row(), i) * entry.value();
  }

  using Loads = Eigen::SparseMatrix<Complex>;

  const DrivenProblem& problem_;
  Terms terms_;
  Eigen::Index n_;
  Loads loads_;  ///< [n, modes]
  Eigen::Index num_modes_;
  Eigen::MatrixXd basis_{n_, 0};                     ///< [n, room for more]
  Eigen::Index size_ = 0;                            ///< columns of the basis
  std::vector<Matrix> projected_, sketched_images_;  ///< [terms]
  Matrix reduced_loads_, sketched_loads_;
};

/// True if A(f) is a sum of a few symmetric matrices times functions of f, and the loads do not change.
bool has_reduced_model(const DrivenProblem& problem) {
  return is_sum_of_terms(problem.model()) && problem.is_reciprocal() && !problem.has_dispersive_ports();
}

DrivenSolution solve_at(DrivenProblem& problem, const FastSweepOptions& options, double frequency) {
  return options.solve ? options.solve(frequency) : problem.solve(frequency);
}

FastSweepResult sweep(DrivenProblem& problem, const std::vector<double>& frequencies,
                      const FastSweepOptions& options, SweepModel&& model) {
  return adaptive_sweep(
      problem, frequencies, options, [&](double f) { return solve_at(problem, options, f); }, model);
}

}  // namespace

FastSweepResult fast_sweep(DrivenProblem& problem, const std::vector<double>& frequencies,
                           const FastSweepOptions& options) {
  if (!has_reduced_model(problem)) return sweep(problem, frequencies, options, RationalModel());
  // loads are the same at all of them
  return sweep(problem, frequencies, options, ReducedModel(problem, frequencies.at(0)));
}

FastSweepResult sweep_band(DrivenProblem& problem, const std::vector<double>& frequencies,
                           const FastSweepOptions& options) {
  const auto plain = std::partition_point(frequencies.begin(), frequencies.end(),
                                          [&](double f) { return problem.is_split_at(f); });
  const std::vector<double> low(frequencies.begin(), plain), rest(plain, frequencies.end());
  if (low.empty()) return fast_sweep(problem, rest, options);
  FastSweepOptions of_low = options;
  of_low.solves_the_rest = true;  // a conducting medium makes S a root of f there, which takes many solutions
  FastSweepResult result = sweep(problem, low, of_low, RationalModel());
  if (rest.empty()) return result;
  const FastSweepResult above = fast_sweep(problem, rest, options);
  result.solutions.insert(result.solutions.end(), above.solutions.begin(), above.solutions.end());
  result.solved.insert(result.solved.end(), above.solved.begin(), above.solved.end());
  result.error_estimate = std::max(result.error_estimate, above.error_estimate);
  result.converged = result.converged && above.converged;
  return result;
}

}  // namespace curlew::fem
