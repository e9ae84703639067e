// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scalars of an iteration, in the memory of the backend: the host reads `stop`, `iterations` and `residual`.

#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

constexpr int max_ell = 16;

enum Stop : int {
  running = 0,
  stop_converged,
  stop_limit,
  stop_breakdown,
  stop_not_finite,
  stop_cycle,
  stop_stalled
};

// An iteration has stalled if its residual stays within one percent, or its least residual is not halved, for
// these shares of the largest number of iterations, and at least for these numbers. On indefinite problems
// iterations that converge within 1000 steps may stagnate for up to 177 and take up to 359 to halve the
// residual (docs/measured/acoustics.md).
constexpr double still_part = 0.01;
constexpr int still_least = 100, unhalved_least = 300;
constexpr double still_share = 0.2, unhalved_share = 0.4;

/// Recent progress of the residual.
struct Progress {
  double level = 0, least = 0;           ///< value at which it stagnates; the least when it was last halved
  int level_since = 0, least_since = 0;  ///< iterations at which these were set
  CURLEW_HD void begin(double residual, int iterations) {
    level = least = residual;
    level_since = least_since = iterations;
  }
  /// True if the iteration has stalled. @param limit largest number of iterations
  CURLEW_HD bool judge(double residual, int iterations, int limit) {
    if (!(::fabs(residual - level) <= still_part * level)) level = residual, level_since = iterations;
    if (residual <= 0.5 * least) least = residual, least_since = iterations;
    return iterations - level_since >= ::fmax(still_least, still_share * limit) ||
           iterations - least_since >= ::fmax(unhalved_least, unhalved_share * limit);
  }
};

struct KrylovState {
  int stop = running;  // first: its address is the skip flag
  int iterations = 0, limit = 0;
  int steps = 0;       // GMRES: columns of the cycle
  int half_steps = 0;  // TFQMR
  double norm_b = 1;
  double tolerance = 0;
  double residual = 0;      // relative, by recurrence
  double* trace = nullptr;  // [limit] the residual after every iteration
  double share = 0;         // share of the unknowns on which b is nonzero
  bool can_stall = false;   // and `progress` is used
  Progress progress;
  Sum rho, alpha, omega, beta, eta, coefficient;
  double tau = 0, theta = 0;
  double length = 0;         // recycled directions: norm of the new image
  double left = 0;           // recycled directions: its norm after the first pass
  bool takes_image = false;  // recycled directions: the next is the last image, not the residual
  Sum gram[max_ell + 1][max_ell + 1];
  Sum gamma[max_ell + 1];

  /// Call it before the first iteration, for methods whose start reduces the residual to this 2-norm.
  CURLEW_HD void begin(double norm_r) {
    residual = norm_r / norm_b;
    coefficient = Sum(norm_r > 0 ? 1 / norm_r : 0);
    takes_image = false;
    if (!is_finite(residual))
      stop = stop_not_finite;
    else if (residual <= tolerance)
      stop = stop_converged;
  }
  /// Call it after an iteration with a squared residual norm `r2`, times `bound` if that is only a bound,
  /// which grows during stagnation.
  CURLEW_HD void finish_iteration(double r2, double bound = 1) {
    ++iterations;
    residual = ::sqrt(r2 * bound) / norm_b;
    if (trace != nullptr && iterations <= limit) trace[iterations - 1] = residual;
    if (!is_finite(residual))
      stop = stop_not_finite;
    else if (residual <= tolerance)
      stop = stop_converged;
    else if (iterations >= limit)
      stop = stop_limit;
    else if (can_stall && progress.judge(::sqrt(r2) / norm_b, iterations, limit))
      stop = stop_stalled;
  }
  /// numerator / denominator; stops if that is NaN or infinite.
  CURLEW_HD Sum divide(Sum numerator, Sum denominator) {
    if (!is_finite(numerator) || !is_finite(denominator)) {
      stop = stop_not_finite;
      return {};
    }
    // Scaled so that squares of small numbers do not vanish.
    const double scale = ::fmax(::fabs(denominator.re), ::fabs(denominator.im));
    if (scale == 0) {
      stop = stop_breakdown;
      return {};
    }
    const Sum q = (numerator / scale) / (denominator / scale);
    if (!is_finite(q)) stop = stop_breakdown;
    return q;
  }
};

}  // namespace curlew::linalg
