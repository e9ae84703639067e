// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions of a system with several right-hand sides at all frequencies from full solutions at a few. All
// that is made of solutions (ports, far fields, cross-sections, fields) is then made of these.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "linalg/sampling/adaptive_sampling.hpp"
#include "linalg/sampling/rational_interpolant.hpp"

namespace curlew::linalg {

/// At one frequency.
struct SampledColumns {
  std::vector<Complex> x;     ///< [right-hand sides, unknowns]
  Index unknowns = 0;         ///< the same at all frequencies
  Eigen::MatrixXcd linear{};  ///< what Observed is made of, linear in x; may be empty
};

/// Two kinds of error are watched at every frequency: that of each right-hand side's solution against its
/// length (of far fields it is the same against their greatest, or less), and that of what is observed.
class SampledSolutions final : public SampledModel {
 public:
  using Solve = std::function<SampledColumns(std::size_t)>;
  /// What must be right at every frequency, such as S, of SampledColumns::linear.
  using Observed = std::function<Eigen::MatrixXcd(const Eigen::MatrixXcd&)>;

  /// @param points [Hz] ascending, outlive this object @param solve the solutions at the point of that number
  /// @param observed nothing: solutions alone are watched
  SampledSolutions(const std::vector<double>& points, Solve solve, Observed observed = {})
      : points_(points), solve_(std::move(solve)), observed_(std::move(observed)) {}

  /// @param most full solutions @returns not converged: solutions are known where they were taken alone
  const Sampling& sample(double tolerance, std::size_t most);
  const Sampling& sampling() const { return sampling_; }
  /// Whether at() gives the solution at the point of that number.
  bool knows(std::size_t point) const;
  /// [right-hand sides, unknowns] at the point of that number; those solved as they are.
  std::vector<Complex> at(std::size_t point) const;

 private:
  double take(std::size_t i) override;
  double scan() override;
  double indicator(std::size_t i) const override { return at_[i].indicator; }

  /// What is compared.
  struct Values {
    Eigen::MatrixXcd columns;   ///< [sketch, right-hand sides]
    Eigen::MatrixXcd observed;  ///< as the function makes it
    double indicator = 0;
  };
  Values values(Eigen::MatrixXcd columns, const Eigen::MatrixXcd& linear) const;
  Values between(double point) const;

  const std::vector<double>& points_;
  Solve solve_;
  Observed observed_;
  Sampling sampling_;
  RationalInterpolant weights_;
  std::vector<std::vector<Complex>> x_;              // [solutions]
  std::vector<Eigen::MatrixXcd> sketched_, linear_;  // [solutions] of x, and what was given with it
  Eigen::VectorXd lengths_;                          // [right-hand sides] of the first solution
  std::vector<Values> at_;                           // [points] of the last scan
};

}  // namespace curlew::linalg
