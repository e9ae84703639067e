// SPDX-License-Identifier: BSD-3-Clause
// Dense LU in double precision with the matrix on the device, beside it in the host's memory, shared between
// the two, and on the host.
#include <fmt/format.h>

#include "base/timer.hpp"
#include "bench/lu_parts.hpp"
#include "curlew/build.hpp"

namespace curlew::bench {
namespace {

void on_host(Offset n, Report& report) {
  LuRow row;
  row.where = "host";
  row.host_gib = 16 * double(n) * double(n) / (1 << 30);
  const Timer timer;
  auto a = lu_matrix(n);
  auto b = lu_right_side(n);
  row.lu = linalg::solve_dense(a, b.data(), 1, linalg::LuPrecision::full, false);
  row.all_seconds = timer.seconds();
  add_lu_row(n, row, report);
}

}  // namespace

linalg::DenseMatrix lu_matrix(Offset n) {
  linalg::DenseMatrix a(n, n, "the matrix of em-bench lu");
#pragma omp parallel for
  for (Offset j = 0; j < n; ++j) {
    for (Offset i = 0; i < n; ++i) a(i, j) = lu_entry(n, i, j);
  }
  return a;
}

std::vector<Complex> lu_right_side(Offset n) {
  std::vector<Complex> b;
  for (Offset i = 0; i < n; ++i) b.push_back(lu_noise(std::uint64_t(-1 - i)));
  return b;
}

void add_lu_row(Offset n, const LuRow& row, Report& report) {
  const double seconds = row.lu.factor_seconds;
  const double rate = 8.0 / 3 * std::pow(double(n), 3) / seconds * 1e-12;
  report.row({std::to_string(n), row.where, row.host_gib, row.device_gib, row.lu.set_up_seconds, seconds,
              rate, row.in_core_seconds > 0 ? fmt::format("{:.3f}", row.in_core_seconds / seconds) : "-",
              row.lu.solve_seconds, row.all_seconds, row.lu.residual});
}

void lu(const Options& options, Report& report) {
  report.table("LU in double precision", {"N", "matrix", "host GiB", "device GiB", "set-up s", "factor s",
                                          "Tflop/s", "of in-core", "solve s", "all s", "residual"});
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) {
    const std::vector<Offset> all = {10000, 20000, 40000};
    for (const Offset n : options.size > 0 ? std::vector<Offset>{options.size} : all)
      lu_gpu(n, options, report);
    return;
  }
#endif
  const std::vector<Offset> all = {1000, 2000, 4000};
  for (const Offset n : options.size > 0 ? std::vector<Offset>{options.size} : all) on_host(n, report);
}

}  // namespace curlew::bench
