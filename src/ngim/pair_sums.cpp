// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/pair_sums.hpp"

#include <algorithm>
#include <cstring>

#include "green/surface_pair.hpp"
#include "ngim/current_moments.hpp"

namespace curlew::ngim {

using green::Medium;

template <class T>
void SourceBuffer<T>::reserve(int n) {
  if (std::size_t(n) <= capacity_) return;
  const std::size_t larger = std::size_t(padded<T>(std::max(2 * n, 1024)));
  const int planes = 3 + 2 * num_vectors_;
  AlignedVector<T> grown(larger * planes);
  for (int p = 0; p < planes && size_ > 0; ++p) {
    std::memcpy(&grown[p * larger], &data_[p * capacity_], size_ * sizeof(T));
  }
  data_.swap(grown);
  capacity_ = larger;
}

template <class T>
void SourceBuffer<T>::append(const T* x, const T* y, const T* z, int n, Vec3<T> shift, const T* re,
                             const T* im, std::size_t plane) {
  reserve(size_ + n + lanes<T>);
  T* to = data_.data() + size_;
  for (int i = 0; i < n; ++i) {
    to[i] = x[i] + shift.x;
    to[capacity_ + i] = y[i] + shift.y;
    to[2 * capacity_ + i] = z[i] + shift.z;
  }
  for (int v = 0; v < num_vectors_; ++v) {
    std::memcpy(to + (3 + 2 * v) * capacity_, re + v * plane, n * sizeof(T));
    std::memcpy(to + (4 + 2 * v) * capacity_, im + v * plane, n * sizeof(T));
  }
  size_ += n;
}

template <class T>
void SourceBuffer<T>::pad() {
  const int end = padded<T>(size_);
  reserve(end);
  for (int p = 0; p < 3 + 2 * num_vectors_; ++p) {
    std::fill(data_.begin() + p * capacity_ + size_, data_.begin() + p * capacity_ + end, T(0));
  }
}

namespace {

template <class T>
T sum_lanes(Vec<T> v) {
  T sum = 0;
  for (int i = 0; i < lanes<T>; ++i) sum += v[i];
  return sum;
}

template <class T, Medium M, int C, bool gradient>
void sums(green::Wavenumber<T> k, const SourceBuffer<T>& b, const T* x, const T* y, const T* z, int n,
          SumOutput<T> out) {
  using V = Vec<T>;
  constexpr int parts = gradient ? 8 : 2;
  const auto load = [](const T* p, int i) { return *reinterpret_cast<const V*>(p + i); };
  const int end = padded<T>(b.size());
  for (int t = 0; t < n; ++t) {
    V sum[C][parts] = {};
    for (int i = 0; i < end; i += lanes<T>) {
      const V dx = x[t] - load(b.x(), i), dy = y[t] - load(b.y(), i), dz = z[t] - load(b.z(), i);
      const V r2 = dx * dx + dy * dy + dz * dz;
      const V r_inv = green::inverse_sqrt(r2);
      const auto g = green::green<M, T>(r2, r_inv, k);
      green::Pair<V> f;
      if constexpr (gradient) f = green::gradient_factor<M, T>(r2, r_inv, g, k);
      for (int c = 0; c < C; ++c) {
        const V re = load(b.re(c), i), im = load(b.im(c), i);
        sum[c][0] += g.re * re;
        sum[c][1] += g.re * im;
        if constexpr (M != Medium::static_kernel) {
          sum[c][0] -= g.im * im;
          sum[c][1] += g.im * re;
        }
        if constexpr (gradient) {
          V h_re = f.re * re, h_im = f.re * im;
          if constexpr (M != Medium::static_kernel) h_re -= f.im * im, h_im += f.im * re;
          sum[c][2] += h_re * dx, sum[c][3] += h_im * dx;
          sum[c][4] += h_re * dy, sum[c][5] += h_im * dy;
          sum[c][6] += h_re * dz, sum[c][7] += h_im * dz;
        }
      }
    }
    for (int c = 0; c < C; ++c) {
      for (int p = 0; p < parts; ++p) out.values[(c * parts + p) * out.plane + t] += sum_lanes<T>(sum[c][p]);
    }
  }
}

template <class T, Medium M>
void choose(green::Wavenumber<T> k, const SourceBuffer<T>& b, const T* x, const T* y, const T* z, int n,
            bool gradient, SumOutput<T> out) {
  if (b.num_vectors() == 1) {
    gradient ? sums<T, M, 1, true>(k, b, x, y, z, n, out) : sums<T, M, 1, false>(k, b, x, y, z, n, out);
  } else if (b.num_vectors() == current_vectors) {
    sums<T, M, current_vectors, false>(k, b, x, y, z, n, out);
  } else {
    gradient ? sums<T, M, 4, true>(k, b, x, y, z, n, out) : sums<T, M, 4, false>(k, b, x, y, z, n, out);
  }
}

template <class T, Medium M>
void fill_matrix(green::Wavenumber<T> k, const T* tx, const T* ty, const T* tz, int rows, const T* sx,
                 const T* sy, const T* sz, int cols, Vec3<T> shift, T* re, T* im, int stride) {
  using V = Vec<T>;
  for (int j = 0; j < cols; ++j) {
    const T px = sx[j] + shift.x, py = sy[j] + shift.y, pz = sz[j] + shift.z;
    for (int i = 0; i < rows; i += lanes<T>) {
      const V dx = *reinterpret_cast<const V*>(tx + i) - px, dy = *reinterpret_cast<const V*>(ty + i) - py,
              dz = *reinterpret_cast<const V*>(tz + i) - pz;
      const V r2 = dx * dx + dy * dy + dz * dz;
      const auto g = green::green<M, T>(r2, green::inverse_sqrt(r2), k);
      *reinterpret_cast<V*>(re + std::size_t(j) * stride + i) = g.re;
      if constexpr (M != Medium::static_kernel)
        *reinterpret_cast<V*>(im + std::size_t(j) * stride + i) = g.im;
    }
  }
}

}  // namespace

template <class T>
void add_pair_sums(Medium medium, green::Wavenumber<T> k, const SourceBuffer<T>& b, const T* x, const T* y,
                   const T* z, int n, bool gradient, SumOutput<T> out) {
  if (medium == Medium::static_kernel) choose<T, Medium::static_kernel>(k, b, x, y, z, n, gradient, out);
  if (medium == Medium::lossless) choose<T, Medium::lossless>(k, b, x, y, z, n, gradient, out);
  if (medium == Medium::lossy) choose<T, Medium::lossy>(k, b, x, y, z, n, gradient, out);
}

template <class T>
void add_current_sums(T k, const SourceBuffer<T>& b, const T* x, const T* y, const T* z, int n,
                      SumOutput<T> out) {
  using V = Vec<T>;
  const auto load = [](const T* p, int i) { return *reinterpret_cast<const V*>(p + i); };
  const int end = padded<T>(b.size());
  for (int t = 0; t < n; ++t) {
    V sum[2 * current_vectors] = {};
    for (int i = 0; i < end; i += lanes<T>) {
      const Vec3<V> d{x[t] - load(b.x(), i), y[t] - load(b.y(), i), z[t] - load(b.z(), i)};
      const auto pair = green::surface_pair<T>(d, k);
      V current[2 * current_vectors];
      for (int v = 0; v < current_vectors; ++v)
        current[2 * v] = load(b.re(v), i), current[2 * v + 1] = load(b.im(v), i);
      green::add_surface_pair(pair, current, current + 6, sum, sum + 6);
    }
    for (int p = 0; p < 2 * current_vectors; ++p) out.values[p * out.plane + t] += sum_lanes<T>(sum[p]);
  }
}

template <class T>
void green_matrix(Medium medium, green::Wavenumber<T> k, const T* tx, const T* ty, const T* tz, int rows,
                  const T* sx, const T* sy, const T* sz, int cols, Vec3<T> shift, T* re, T* im, int stride) {
  if (medium == Medium::static_kernel)
    fill_matrix<T, Medium::static_kernel>(k, tx, ty, tz, rows, sx, sy, sz, cols, shift, re, im, stride);
  if (medium == Medium::lossless)
    fill_matrix<T, Medium::lossless>(k, tx, ty, tz, rows, sx, sy, sz, cols, shift, re, im, stride);
  if (medium == Medium::lossy)
    fill_matrix<T, Medium::lossy>(k, tx, ty, tz, rows, sx, sy, sz, cols, shift, re, im, stride);
}

#define CURLEW_INSTANTIATE(T)                                                                              \
  template class SourceBuffer<T>;                                                                          \
  template void add_pair_sums<T>(Medium, green::Wavenumber<T>, const SourceBuffer<T>&, const T*, const T*, \
                                 const T*, int, bool, SumOutput<T>);                                       \
  template void add_current_sums<T>(T, const SourceBuffer<T>&, const T*, const T*, const T*, int,          \
                                    SumOutput<T>);                                                         \
  template void green_matrix<T>(Medium, green::Wavenumber<T>, const T*, const T*, const T*, int, const T*, \
                                const T*, const T*, int, Vec3<T>, T*, T*, int);
CURLEW_INSTANTIATE(float)
CURLEW_INSTANTIATE(double)

}  // namespace curlew::ngim
