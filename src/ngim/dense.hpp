// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Small dense complex matrices in split storage (real plane, imaginary plane, columns contiguous and padded
// to whole vectors) and their products with a few vectors at a time: the arithmetic of the translations.

#include <algorithm>
#include <cstddef>
#include <new>
#include <utility>
#include <vector>

#include "base/types.hpp"
#include "green/elementary.hpp"

namespace curlew::ngim {

template <class T>
struct VecOf;
template <>
struct VecOf<float> {
  using type = green::VecF;
};
template <>
struct VecOf<double> {
  using type = green::VecD;
};
/// The vector of T.
template <class T>
using Vec = typename VecOf<T>::type;
template <class T>
inline constexpr int lanes = vector_bytes / int(sizeof(T));
template <class T>
constexpr int padded(int n) {
  return (n + lanes<T> - 1) / lanes<T> * lanes<T>;
}

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), std::align_val_t(64))); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
  bool operator==(const AlignedAllocator&) const { return true; }
};
template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

/// rows x cols; element (i, j) is re[j * stride + i] + j im[j * stride + i]; im is empty for a real matrix.
template <class T>
struct SplitMatrix {
  int rows = 0, cols = 0, stride = 0;
  AlignedVector<T> re, im;

  SplitMatrix() = default;
  SplitMatrix(int num_rows, int num_cols, bool real)
      : rows(num_rows),
        cols(num_cols),
        stride(padded<T>(num_rows)),
        re(std::size_t(stride) * cols),
        im(real ? 0 : re.size()) {}
  /// From row-major complex values; transposed swaps rows and columns.
  static SplitMatrix from(const std::vector<Complex>& values, int rows, int cols, bool real,
                          bool transposed) {
    SplitMatrix m = transposed ? SplitMatrix(cols, rows, real) : SplitMatrix(rows, cols, real);
#pragma omp parallel for
    for (int j = 0; j < m.cols; ++j) {
      for (int i = 0; i < m.rows; ++i) {
        const Complex v = transposed ? values[std::size_t(j) * cols + i] : values[std::size_t(i) * cols + j];
        m.re[std::size_t(j) * m.stride + i] = T(v.real());
        if (!real) m.im[std::size_t(j) * m.stride + i] = T(v.imag());
      }
    }
    return m;
  }
};

namespace detail {

/// y_c += M x_c for C vectors and B blocks of rows, held in registers over the whole sum.
template <class T, bool real, int C, int B>
inline void multiply_block(const T* re, const T* im, int stride, int cols, const T* const* x,
                           std::size_t x_plane, T* const* y, std::size_t y_plane) {
  using V = Vec<T>;
  V sum_re[C][B] = {}, sum_im[C][B] = {};
  for (int j = 0; j < cols; ++j) {
    V a[B], b[B];
    for (int k = 0; k < B; ++k) a[k] = *reinterpret_cast<const V*>(re + k * lanes<T>);
    if constexpr (!real) {
      for (int k = 0; k < B; ++k) b[k] = *reinterpret_cast<const V*>(im + k * lanes<T>);
      im += stride;
    }
    re += stride;
    for (int c = 0; c < C; ++c) {
      const T xr = x[c][j], xi = x[c][x_plane + j];
      for (int k = 0; k < B; ++k) {
        sum_re[c][k] += a[k] * xr;
        sum_im[c][k] += a[k] * xi;
        if constexpr (!real) {
          sum_re[c][k] -= b[k] * xi;
          sum_im[c][k] += b[k] * xr;
        }
      }
    }
  }
  for (int c = 0; c < C; ++c) {
    for (int k = 0; k < B; ++k) {
      *reinterpret_cast<V*>(y[c] + k * lanes<T>) += sum_re[c][k];
      *reinterpret_cast<V*>(y[c] + y_plane + k * lanes<T>) += sum_im[c][k];
    }
  }
}

template <class T, bool real, int C>
inline void multiply_rows(const T* re, const T* im, int rows, int stride, int cols, const T* const* x,
                          std::size_t x_plane, T* const* y, std::size_t y_plane) {
  constexpr int step = lanes<T>;
  constexpr int blocks = std::min(4, vector_registers / (4 * C));  // half of the registers hold sums
  T* out[C];
  int i = 0;
  for (; i + blocks * step <= rows; i += blocks * step) {
    for (int c = 0; c < C; ++c) out[c] = y[c] + i;
    multiply_block<T, real, C, blocks>(re + i, im + i, stride, cols, x, x_plane, out, y_plane);
  }
  for (; i < rows; i += step) {
    for (int c = 0; c < C; ++c) out[c] = y[c] + i;
    multiply_block<T, real, C, 1>(re + i, im + i, stride, cols, x, x_plane, out, y_plane);
  }
}

template <class T, bool real>
inline void multiply_all(const T* re, const T* im, int rows, int stride, int cols, int n, const T* const* x,
                         std::size_t x_plane, T* const* y, std::size_t y_plane) {
  int c = 0;
  for (; c + 4 <= n; c += 4)
    multiply_rows<T, real, 4>(re, im, rows, stride, cols, x + c, x_plane, y + c, y_plane);
  for (; c < n; ++c) multiply_rows<T, real, 1>(re, im, rows, stride, cols, x + c, x_plane, y + c, y_plane);
}

}  // namespace detail

/// y_c += M x_c, c < n. Vectors are split: the imaginary parts follow x_plane (y_plane) values after the real
/// ones. y holds padded rows and is aligned as a vector; y_plane and rows are multiples of the lanes. 2
/// (real) or 4 (complex) fused multiply-adds per element and vector; these limit the speed, not loads.
template <class T>
void multiply_add(const T* re, const T* im, int rows, int stride, int cols, int n, const T* const* x,
                  std::size_t x_plane, T* const* y, std::size_t y_plane) {
  if (im == nullptr)
    detail::multiply_all<T, true>(re, re, rows, stride, cols, n, x, x_plane, y, y_plane);
  else
    detail::multiply_all<T, false>(re, im, rows, stride, cols, n, x, x_plane, y, y_plane);
}
template <class T>
void multiply_add(const SplitMatrix<T>& m, int n, const T* const* x, std::size_t x_plane, T* const* y,
                  std::size_t y_plane) {
  multiply_add(m.re.data(), m.im.empty() ? nullptr : m.im.data(), m.stride, m.stride, m.cols, n, x, x_plane,
               y, y_plane);
}

}  // namespace curlew::ngim
