// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Speed of this machine, measured within about 50 ms, for predictions of time.

namespace curlew::linalg {

struct MachineSpeed {
  double dense_flops = 0;       ///< real operations per second of complex matrix products, all threads
  double bytes_per_second = 0;  ///< read by all threads from arrays larger than the caches
};

/// The fastest of some repetitions, with the threads of the run (base/threads.hpp).
MachineSpeed measure_speed();

/// Seconds of complex LU factors of an n x n matrix and of substitution in them. Golub and Van Loan (2013),
/// Matrix Computations, section 3.2: 2/3 n^3 complex operations, four real ones each.
double dense_seconds(double n, double right_hand_sides, const MachineSpeed& speed);
/// Seconds of a sparse factorisation, from real operations and nonzeros of the factors counted by the
/// analysis.
double sparse_factor_seconds(double flops, double factor_entries, const MachineSpeed& speed);
/// Seconds of substitution of one right-hand side, with the refinement that follows it.
double sparse_substitution_seconds(double factor_entries, const MachineSpeed& speed);

}  // namespace curlew::linalg
