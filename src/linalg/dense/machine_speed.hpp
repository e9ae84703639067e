// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Speed of this machine, measured in some 50 ms: predictions of time scale with it.

namespace curlew::linalg {

struct MachineSpeed {
  double dense_flops = 0;       ///< real operations a second of complex matrix products, all threads
  double bytes_per_second = 0;  ///< read by all threads from arrays that no cache holds
};

/// The fastest of some repetitions, with the threads that the run has (base/threads.hpp).
MachineSpeed measure_speed();

/// Seconds of complex LU factors of an n x n matrix and of substitution in them. Golub and Van Loan (2013),
/// Matrix Computations, section 3.2: 2/3 n^3 products and sums, four times as many real ones.
double dense_seconds(double n, double right_hand_sides, const MachineSpeed& speed);
/// Seconds of a sparse factorisation by what its analysis counts: real operations, and nonzeros of the
/// factors.
double sparse_factor_seconds(double flops, double factor_entries, const MachineSpeed& speed);
/// Seconds of substitution of one right-hand side, with the refinement that follows it.
double sparse_substitution_seconds(double factor_entries, const MachineSpeed& speed);

}  // namespace curlew::linalg
