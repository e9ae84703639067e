// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Eigenfunction series of circular cylinders, with separate Bessel functions: nothing is shared with the
// solver.

#include <cmath>
#include <complex>
#include <vector>

namespace curlew::mom2d::series {

using Long = std::complex<long double>;

/// J_0..J_n of a complex argument: Miller's backward recurrence, normalised by exp(-+jz) = sum (-+j)^n J_n.
inline std::vector<Long> bessel_j(int n, Long z) {
  const int start = n + 60 + int(1.5L * std::abs(z));
  std::vector<Long> j(std::size_t(start) + 2, 0);
  j[std::size_t(start)] = 1e-300L;
  const Long i(0, z.imag() > 0 ? -1 : 1);
  Long sum = 0;
  for (int m = start; m >= 0; --m) {
    if (m > 0) j[std::size_t(m) - 1] = 2.0L * m / z * j[std::size_t(m)] - j[std::size_t(m) + 1];
    sum += (m == 0 ? 1.0L : 2.0L) * std::pow(i, m) * j[std::size_t(m)];
    if (std::abs(j[m > 0 ? std::size_t(m) - 1 : 0]) > 1e600L) {
      for (auto& v : j) v *= 1e-600L;
      sum *= 1e-600L;
    }
  }
  for (auto& v : j) v *= std::exp(i * z) / sum;
  j.resize(std::size_t(n) + 1);
  return j;
}

/// Y_0..Y_n of a real argument by forward recurrence from the library's long double functions.
inline std::vector<long double> bessel_y(int n, long double x) {
  std::vector<long double> y{std::cyl_neumannl(0, x), std::cyl_neumannl(1, x)};
  for (int m = 1; m < n; ++m) y.push_back(2.0L * m / x * y[std::size_t(m)] - y[std::size_t(m) - 1]);
  y.resize(std::size_t(n) + 1);
  return y;
}

/// A function of order m and its derivative.
struct Pair {
  Long f, d;
};
inline Pair j_pair(const std::vector<Long>& j, int m, Long z) {
  const auto i = std::size_t(m);
  return {j[i], m == 0 ? -j[1] : j[i - 1] - (long double)m / z * j[i]};
}
inline Pair h_pair(const std::vector<Long>& j, const std::vector<long double>& y, int m, long double x) {
  const auto h = [&](int k) { return j[std::size_t(k)] - Long(0, 1) * y[std::size_t(k)]; };
  return {h(m), m == 0 ? -h(1) : h(m - 1) - (long double)m / x * h(m)};
}

/// Terms of a series to full accuracy.
inline int num_terms(long double x) {
  return int(x + 12 * std::cbrt(x) + 24);
}

}  // namespace curlew::mom2d::series
