// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Successive solutions inside of S for an iteration. Direct: substitutions. A Krylov method solves for the
// change since the last field, only as accurately as the result needs: increments and later directions shrink
// as the iteration converges. Source of the relaxed accuracy: Simoncini and Szyld (2003), SIAM J. Sci.
// Comput. 25(2).

#include <vector>

#include "truncation/open_system.hpp"

namespace curlew::truncation {

class InsideSolver {
 public:
  /// @param system factored
  explicit InsideSolver(OpenSystem& system) : system_(system) {}

  /// The field of `right` [num_dofs, count], stored in x(); a Krylov method starts from the last one.
  void solve(std::vector<Complex> right, Index count);
  /// The field of `right`, of which at most `share` contributes to the result.
  std::vector<Complex> solve_part(const std::vector<Complex>& right, Index count, double share);

  std::vector<Complex>& x() { return x_; }
  /// The largest residual of a solve, relative to its contribution to the result.
  double residual() const { return residual_; }
  /// Total steps of the Krylov method; 0 for a direct solver.
  long steps() const { return steps_; }

 private:
  /// @param shares [count]
  void run(const std::vector<Complex>& right, std::vector<Complex>& x, const std::vector<double>& shares);

  OpenSystem& system_;
  std::vector<Complex> right_, x_;
  double residual_ = 0;
  long steps_ = 0;
};

}  // namespace curlew::truncation
