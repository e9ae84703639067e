// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/machine_speed.hpp"

#include <algorithm>
#include <vector>

#include "base/timer.hpp"
#include "base/types.hpp"
#include "linalg/dense/lapack.hpp"

namespace curlew::linalg {
namespace {

// Speed of factorisations relative to matrix products, and how often the factors pass through memory, which
// limits small fronts: fitted to MUMPS and OpenBLAS on the cases of tests/scripts/time_test.py.
constexpr double dense_share = 0.7, sparse_share = 0.5;
constexpr double factor_passes = 20, substitution_passes = 16;

/// Repeats work for `budget` seconds, twice at least: the first call warms up.
/// @return seconds of the fastest call
template <class Work>
double fastest(double budget, const Work& work) {
  double best = 0;
  const Timer all;
  for (int i = 0; i < 2 || all.seconds() < budget; ++i) {
    const Timer timer;
    work();
    if (i > 0) best = i == 1 ? timer.seconds() : std::min(best, timer.seconds());
  }
  return std::max(best, 1e-9);
}

double product_flops() {
  constexpr int n = 192;
  const std::vector<Complex> a(std::size_t(n) * n, Complex(1, 0.5)), b(a);
  std::vector<Complex> c(a.size());
  const Complex one = 1, zero = 0;
  const double seconds = fastest(
      0.02, [&] { zgemm_("N", "N", &n, &n, &n, &one, a.data(), &n, b.data(), &n, &zero, c.data(), &n); });
  return 8.0 * n * n * n / seconds;
}

double reading_rate() {
  const std::vector<double> x(std::size_t(1) << 23, 1.0);  // 64 MiB
  volatile double kept = 0;
  const double seconds = fastest(0.02, [&] {
    double sum = 0;
#pragma omp parallel for simd reduction(+ : sum) schedule(static)
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i];
    kept = sum;
  });
  return double(x.size() * sizeof(double)) / seconds;
}

}  // namespace

MachineSpeed measure_speed() {
  return {product_flops(), reading_rate()};
}

double dense_seconds(double n, double right_hand_sides, const MachineSpeed& speed) {
  return (8.0 / 3 * n * n * n + 8 * n * n * right_hand_sides) / (dense_share * speed.dense_flops);
}

double sparse_factor_seconds(double flops, double factor_entries, const MachineSpeed& speed) {
  return flops / (sparse_share * speed.dense_flops) +
         factor_passes * factor_entries * sizeof(Complex) / speed.bytes_per_second;
}

double sparse_substitution_seconds(double factor_entries, const MachineSpeed& speed) {
  return substitution_passes * factor_entries * sizeof(Complex) / speed.bytes_per_second;
}

}  // namespace curlew::linalg
