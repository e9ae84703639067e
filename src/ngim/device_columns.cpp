// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/device_columns.hpp"

namespace curlew::ngim {

template <class T>
std::vector<complex<T>> device_columns(const std::vector<Complex>& values, int rows, int cols, int stride,
                                       bool transposed) {
  std::vector<complex<T>> out(std::size_t(stride) * (transposed ? rows : cols));
#pragma omp parallel for
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) {
      const Complex v = values[std::size_t(i) * cols + j];
      const std::size_t to =
          transposed ? std::size_t(i) * stride + j : std::size_t(j) * stride + std::size_t(i);
      out[to] = {T(v.real()), T(v.imag())};
    }
  }
  return out;
}

template std::vector<complex<float>> device_columns(const std::vector<Complex>&, int, int, int, bool);
template std::vector<complex<double>> device_columns(const std::vector<Complex>&, int, int, int, bool);

}  // namespace curlew::ngim
