// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solutions of a system with several right-hand sides at all frequencies from full solutions at a few.
// Results (ports, far fields, cross-sections, fields) are then computed from these.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "linalg/sampling/adaptive_sampling.hpp"
#include "linalg/sampling/rational_interpolant.hpp"

namespace curlew::linalg {

/// Solutions at one frequency.
struct SampledColumns {
  std::vector<Complex> x;     ///< [right-hand sides, unknowns]
  Index unknowns = 0;         ///< the same at all frequencies
  Eigen::MatrixXcd linear{};  ///< input of Observed, linear in x; may be empty
};

/// Two kinds of error are checked at every frequency: that of each solution relative to its norm (far fields
/// have at most the same error relative to their maximum), and that of observed quantities.
class SampledSolutions final : public SampledModel {
 public:
  using Solve = std::function<SampledColumns(std::size_t)>;
  /// Quantities that must be accurate at every frequency, such as S, from SampledColumns::linear.
  using Observed = std::function<Eigen::MatrixXcd(const Eigen::MatrixXcd&)>;

  /// @param points [Hz] ascending, must outlive this object @param solve computes the solutions at a point
  /// @param observed empty: only solutions are checked
  SampledSolutions(const std::vector<double>& points, Solve solve, Observed observed = {})
      : points_(points), solve_(std::move(solve)), observed_(std::move(observed)) {}

  /// @param most full solutions @returns if not converged, only solved points have solutions
  const Sampling& sample(double tolerance, std::size_t most);
  const Sampling& sampling() const { return sampling_; }
  /// Whether at() gives the solution at a point.
  bool knows(std::size_t point) const;
  /// Solutions [right-hand sides, unknowns] at a point; exact ones at solved points.
  std::vector<Complex> at(std::size_t point) const;

 private:
  double take(std::size_t i) override;
  double scan() override;
  double indicator(std::size_t i) const override { return at_[i].indicator; }

  /// Values that are compared.
  struct Values {
    Eigen::MatrixXcd columns;   ///< [sketch, right-hand sides]
    Eigen::MatrixXcd observed;  ///< result of Observed
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
