// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reference of products in tests and benchmarks: A x in extended precision, and the error
// of a product in units that do not depend on the matrix.

#include <algorithm>
#include <complex>
#include <limits>
#include <vector>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Rows of A x and of |A| |x|.
struct ExactProduct {
  std::vector<std::complex<long double>> y;
  std::vector<long double> scale;
};
template <class T>
ExactProduct exact_product(const Csr<T>& a, const std::vector<T>& x) {
  ExactProduct out;
  out.y.resize(std::size_t(a.num_rows)), out.scale.resize(std::size_t(a.num_rows));
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < a.num_rows; ++i) {
    std::complex<long double> sum = 0;
    long double scale = 0;
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k) {
      const std::complex<long double> v(a.values[std::size_t(k)]),
          z(x[std::size_t(a.columns[std::size_t(k)])]);
      sum += v * z;
      scale += std::abs(v) * std::abs(z);
    }
    out.y[std::size_t(i)] = sum, out.scale[std::size_t(i)] = scale;
  }
  return out;
}

/// Largest |y - exact| of a row, in units of the last place (of T) of the row of |A| |x|. Infinite if an
/// empty row is not exactly zero, or if y is not finite.
template <class T>
double error_in_ulps(const ExactProduct& exact, const std::vector<T>& y) {
  constexpr long double unit = std::numeric_limits<typename T::value_type>::epsilon();
  constexpr double infinite = std::numeric_limits<double>::infinity();
  long double worst = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const long double error = std::abs(std::complex<long double>(y[i]) - exact.y[i]);
    if (!(error == error) || (exact.scale[i] == 0 && error != 0)) return infinite;
    if (exact.scale[i] > 0) worst = std::max(worst, error / (unit * exact.scale[i]));
  }
  return double(worst);
}

}  // namespace curlew::linalg
