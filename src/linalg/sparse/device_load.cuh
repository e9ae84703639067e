// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loads that the product kernels share. Device code only.

#include "base/complex.hpp"
#include "base/types.hpp"

namespace curlew::linalg::device {

/// Matrix entries are read once: they are evicted from the caches first, so that x stays.
__device__ inline complex<double> stream(const complex<double>* p) {
  const double2 v = __ldcs(reinterpret_cast<const double2*>(p));
  return {v.x, v.y};
}
__device__ inline complex<float> stream(const complex<float>* p) {
  const float2 v = __ldcs(reinterpret_cast<const float2*>(p));
  return {v.x, v.y};
}
template <class T>
__device__ inline T stream(const T* p) {
  return __ldcs(p);
}

__device__ inline complex<double> read(const complex<double>* p) {
  const double2 v = __ldg(reinterpret_cast<const double2*>(p));
  return {v.x, v.y};
}
__device__ inline complex<float> read(const complex<float>* p) {
  const float2 v = __ldg(reinterpret_cast<const float2*>(p));
  return {v.x, v.y};
}

/// sum += a x with fused multiply-adds; a complex or real, of any precision.
template <class V, class R>
__device__ inline void add_product(complex<R>& sum, complex<V> a, complex<R> x) {
  sum.re = fma(R(a.re), x.re, fma(-R(a.im), x.im, sum.re));
  sum.im = fma(R(a.re), x.im, fma(R(a.im), x.re, sum.im));
}
template <class V, class R>
__device__ inline void add_product(complex<R>& sum, V a, complex<R> x) {
  sum.re = fma(R(a), x.re, sum.re);
  sum.im = fma(R(a), x.im, sum.im);
}

__device__ inline bool skipped(const int* skip) {
  return skip != nullptr && *skip != 0;
}

}  // namespace curlew::linalg::device
