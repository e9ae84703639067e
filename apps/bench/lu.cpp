// SPDX-License-Identifier: BSD-3-Clause
// Dense LU in double precision with the matrix on the device, in the host's memory beside the device, and on
// the host.
#include <cmath>
#include <cstdint>

#include "bench/lu_parts.hpp"
#include "curlew/build.hpp"

namespace curlew::bench {
namespace {

/// A number in (-1/2, 1/2) + j (-1/2, 1/2) by Steele, Lea and Flood (2014), OOPSLA, 453 (SplitMix).
Complex noise(std::uint64_t number) {
  std::uint64_t z = (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  constexpr double unit = 1.0 / 4294967296.0;
  return {double(z >> 32) * unit - 0.5, double(z & 0xffffffffu) * unit - 0.5};
}

void on_host(Offset n, Report& report) {
  auto a = lu_matrix(n);
  auto b = lu_right_side(n);
  lu_row(n, "host", 0, linalg::solve_dense(a, b.data(), 1, linalg::LuPrecision::full, false), 0, report);
}

}  // namespace

linalg::DenseMatrix lu_matrix(Offset n) {
  linalg::DenseMatrix a(n, n, "the matrix of em-bench lu");
#pragma omp parallel for
  for (Offset j = 0; j < n; ++j) {
    for (Offset i = 0; i < n; ++i) a(i, j) = noise(std::uint64_t(i + j * n));
    a((j + n / 3) % n, j) += 2 * std::sqrt(double(n));
  }
  return a;
}

std::vector<Complex> lu_right_side(Offset n) {
  std::vector<Complex> b;
  for (Offset i = 0; i < n; ++i) b.push_back(noise(std::uint64_t(-1 - i)));
  return b;
}

void lu_row(Offset n, const std::string& where, double device_gib, const linalg::LuReport& lu,
            double in_core_seconds, Report& report) {
  const double rate = 8.0 / 3 * std::pow(double(n), 3) / lu.factor_seconds * 1e-12;
  report.row({std::to_string(n), where, device_gib, lu.factor_seconds, rate,
              in_core_seconds > 0 ? in_core_seconds / lu.factor_seconds : 0.0, lu.solve_seconds,
              lu.residual});
}

void lu(const Options& options, Report& report) {
  report.table("LU in double precision",
               {"N", "matrix", "device GiB", "factor s", "Tflop/s", "of in-core", "solve s", "residual"});
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
