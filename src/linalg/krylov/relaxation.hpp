// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Relaxed (inexact) products, with the accuracy that a minimal residual method needs. The recursive residual
// of GMRES differs from the true one by sum_j E_j v_j y_j, E_j the error of product j and y_j its
// coefficient, |y_j| <= |r_{j-1}| / sigma_min(H): an error that grows as the residual falls, |E_j| ~ t |b| /
// |r_{j-1}|, does not affect the final residual. Sources: Bouras and Fraysse (2005), SIAM J. Matrix Anal.
// Appl. 26, 660 (the rule, with factor 1 found by experiments); Simoncini and Szyld (2003), SIAM J. Sci.
// Comput. 25, 454 (proof, with factor sigma_min(H) / m); van den Eshof and Sleijpen (2004), SIAM J. Matrix
// Anal. Appl. 26, 125.

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <utility>

namespace curlew::linalg {

/// Argument of KrylovOptions::allow_error that allows any relative error.
inline constexpr double any_error = std::numeric_limits<double>::infinity();

class Relaxation {
 public:
  /// @param allow_error sets the allowed relative error of the following products, 0: as small as possible;
  /// null: no relaxation
  explicit Relaxation(std::function<void(double)> allow_error) : allow_error_(std::move(allow_error)) {}

  /// Call it before the first start of a right-hand side.
  void begin() { is_on_ = allow_error_ != nullptr, was_on_ = false; }
  /// Resets the factor to its first value.
  void forget() { factor_ = first_factor; }
  /// Tolerance of the recursive residual; the rest of the tolerance t is for errors of the products.
  double own_tolerance(double t) const { return is_on_ ? own_share * t : was_on_ ? restart_share * t : t; }

  void ask_exact() const {
    if (allow_error_) allow_error_(0);
  }
  /// Call it with the relative residual before the next product.
  void ask(double residual, double t) const {
    if (is_on_) allow_error_(std::min(factor_ * t / residual, 1.0));
  }

  /// Call it after a start: if errors of products exceed their share of t, the following products are exact,
  /// and less error is allowed for the next right-hand side. @returns whether another start is needed
  bool judge(double residual, double estimated, double t) {
    if (!is_on_) return false;
    const double gap = std::sqrt(std::max(0.0, residual * residual - estimated * estimated));
    const double left = std::sqrt(1 - own_share * own_share) * t;
    if (!(gap > left)) return false;
    factor_ *= 0.5 * left / gap;
    is_on_ = false, was_on_ = true;
    return true;
  }

 private:
  static constexpr double first_factor = 1, own_share = 0.9, restart_share = 0.9;

  std::function<void(double)> allow_error_;
  double factor_ = first_factor;
  bool is_on_ = false, was_on_ = false;
};

}  // namespace curlew::linalg
