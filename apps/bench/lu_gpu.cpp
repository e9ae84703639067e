// SPDX-License-Identifier: BSD-3-Clause
// The GPU half of `em-bench lu`. Compiled with CUDA only.
#include <fmt/format.h>

#include <algorithm>

#include "base/cuda.hpp"
#include "base/error.hpp"
#include "bench/lu_parts.hpp"
#include "linalg/dense/dense_plan.hpp"

namespace curlew::bench {
namespace {

constexpr double gibi = 1 << 30;

linalg::LuReport solve_as(const linalg::DensePlan& plan, linalg::DenseMatrix& a, double& device_gib) {
  auto b = lu_right_side(a.rows());
  device_gib = double(plan.device_bytes) / gibi;
  return linalg::solve_dense(plan, a, b.data(), 1, false);
}

}  // namespace

void lu_gpu(Offset n, const Options& options, Report& report) {
  const double matrix_gib = 16 * double(n) * double(n) / gibi;
  const auto limit = std::size_t((options.device_memory > 0 ? options.device_memory : matrix_gib / 3) * gibi);
  linalg::plan_dense(n, 1, linalg::LuPrecision::full, Device::cuda,
                     limit);  // too small a limit is said first
  auto a = lu_matrix(n);
  double gib = 0, in_core_seconds = 0;
  const auto in_core = linalg::plan_dense(n, 1, linalg::LuPrecision::full, Device::cuda, 0);
  if (in_core.place == linalg::DensePlace::device) {
    const auto lu = solve_as(in_core, a, gib);  // leaves the host's matrix as it is
    in_core_seconds = lu.factor_seconds;
    lu_row(n, "device", gib, lu, in_core_seconds, report);
  }
  const std::size_t free = device_info().free_memory;
  if (limit >= free)
    throw ResourceError(fmt::format("{:.2f} GiB are free, less than asked for", double(free) / gibi));
  // What is beyond the limit is taken, so that nothing can use it.
  const cuda::Buffer<char> beyond(free - limit);
  const auto plan = linalg::plan_dense(n, 1, linalg::LuPrecision::full, Device::cuda, 0);
  if (plan.place != linalg::DensePlace::out_of_core)
    throw InputError(
        fmt::format("--device-memory {:.3g}: all of {} unknowns fits into it", double(limit) / gibi, n));
  const auto lu = solve_as(plan, a, gib);
  lu_row(n, fmt::format("host, panels of {}", plan.widths.panel), gib, lu, in_core_seconds, report);
}

}  // namespace curlew::bench
