// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scalars of vector algorithms: sums and coefficients are complex double, whatever the vectors are.

#include "base/complex.hpp"
#include "base/types.hpp"

/// Marks a lambda that the GPU may run.
#ifdef __CUDACC__
#define CURLEW_LAMBDA __host__ __device__
#else
#define CURLEW_LAMBDA
#endif

namespace curlew::linalg {

using Sum = complex<double>;

template <class R>
CURLEW_HD Sum widen(complex<R> z) {
  return {double(z.re), double(z.im)};
}
template <class R>
CURLEW_HD complex<R> narrow(Sum z) {
  return {R(z.re), R(z.im)};
}
/// conj(a) b
template <class R>
CURLEW_HD Sum inner(complex<R> a, complex<R> b) {
  return {double(a.re) * b.re + double(a.im) * b.im, double(a.re) * b.im - double(a.im) * b.re};
}
/// a b, for complex symmetric methods
template <class R>
CURLEW_HD Sum bilinear(complex<R> a, complex<R> b) {
  return {double(a.re) * b.re - double(a.im) * b.im, double(a.re) * b.im + double(a.im) * b.re};
}
template <class R>
CURLEW_HD double square(complex<R> a) {
  return double(a.re) * a.re + double(a.im) * a.im;
}
CURLEW_HD bool is_finite(double v) {
  return v - v == 0;
}
CURLEW_HD bool is_finite(Sum z) {
  return is_finite(z.re) && is_finite(z.im);
}
CURLEW_HD bool is_zero(Sum z) {
  return z.re == 0 && z.im == 0;
}

}  // namespace curlew::linalg
