// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Shared by the CPU and the GPU part of `em-bench lu`.

#include <string>
#include <vector>

#include "bench/cases.hpp"
#include "bench/lu_entries.hpp"
#include "linalg/dense/lu.hpp"

namespace curlew::bench {

/// The matrix on the host.
linalg::DenseMatrix lu_matrix(Offset n);
/// [n] entries of order 1.
std::vector<Complex> lu_right_side(Offset n);

/// A row of the table: rates count 8/3 n^3 operations.
struct LuRow {
  std::string where;
  double host_gib = 0, device_gib = 0;
  linalg::LuReport lu;
  double in_core_seconds = 0;  ///< of the factors, 0: not known
  double all_seconds = 0;      ///< memory, entries and residual included
};
void add_lu_row(Offset n, const LuRow& row, Report& report);

/// On the device; out of core with the matrix made on the host, or on the device, within the limits of
/// `options`. @throws InputError for a case_name that is none of device, host and split
void lu_gpu(Offset n, const Options& options, Report& report);

}  // namespace curlew::bench
