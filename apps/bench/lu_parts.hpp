// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the CPU and the GPU half of `em-bench lu` share.

#include <string>
#include <vector>

#include "bench/cases.hpp"
#include "linalg/dense/lu.hpp"

namespace curlew::bench {

/// Entries in (-1/2, 1/2) + j (-1/2, 1/2), and 2 sqrt(n) a third of the matrix beside the diagonal: condition
/// of order 1, and a row to exchange in every step.
linalg::DenseMatrix lu_matrix(Offset n);
/// [n] entries of order 1.
std::vector<Complex> lu_right_side(Offset n);
/// A row of the table: rates count 8/3 n^3 operations.
void lu_row(Offset n, const std::string& where, double device_gib, const linalg::LuReport& lu,
            double in_core_seconds, Report& report);

/// On the device, and out of core within options.device_memory.
void lu_gpu(Offset n, const Options& options, Report& report);

}  // namespace curlew::bench
