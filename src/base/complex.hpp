// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A complex number for formulas that run on host and device. Same layout as std::complex, so that LAPACK,
// Eigen, HDF5 and cuBLAS read it; products and quotients do not recover infinities.

#include <cmath>
#include <complex>

#include "base/macros.hpp"

namespace curlew {

template <class T>
struct alignas(2 * sizeof(T)) complex {
  T re = 0, im = 0;

  complex() = default;
  CURLEW_HD constexpr complex(T real, T imag = T(0)) : re(real), im(imag) {}  // NOLINT: a real is a complex
  complex(const std::complex<T>& z) : re(z.real()), im(z.imag()) {}           // NOLINT
  operator std::complex<T>() const { return {re, im}; }                       // NOLINT

  CURLEW_HD complex& operator+=(complex b) { return re += b.re, im += b.im, *this; }
  CURLEW_HD complex& operator-=(complex b) { return re -= b.re, im -= b.im, *this; }
  CURLEW_HD complex& operator*=(complex b) { return *this = {re * b.re - im * b.im, re * b.im + im * b.re}; }
  CURLEW_HD complex& operator*=(T b) { return re *= b, im *= b, *this; }

  CURLEW_HD friend complex operator+(complex a, complex b) { return {a.re + b.re, a.im + b.im}; }
  CURLEW_HD friend complex operator-(complex a, complex b) { return {a.re - b.re, a.im - b.im}; }
  CURLEW_HD friend complex operator-(complex a) { return {-a.re, -a.im}; }
  CURLEW_HD friend complex operator*(complex a, complex b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
  }
  CURLEW_HD friend complex operator*(complex a, T b) { return {a.re * b, a.im * b}; }
  CURLEW_HD friend complex operator*(T a, complex b) { return {a * b.re, a * b.im}; }
  CURLEW_HD friend complex operator/(complex a, T b) { return {a.re / b, a.im / b}; }
  CURLEW_HD friend complex operator/(complex a, complex b) {
    const T s = T(1) / (b.re * b.re + b.im * b.im);
    return {(a.re * b.re + a.im * b.im) * s, (a.im * b.re - a.re * b.im) * s};
  }
  CURLEW_HD friend bool operator==(complex a, complex b) { return a.re == b.re && a.im == b.im; }
};

template <class T>
CURLEW_HD T real(complex<T> z) {
  return z.re;
}
template <class T>
CURLEW_HD T imag(complex<T> z) {
  return z.im;
}
template <class T>
CURLEW_HD complex<T> conj(complex<T> z) {
  return {z.re, -z.im};
}
/// |z|^2, without a square root.
template <class T>
CURLEW_HD T norm2(complex<T> z) {
  return z.re * z.re + z.im * z.im;
}
template <class T>
CURLEW_HD T abs(complex<T> z) {
  return ::hypot(z.re, z.im);
}
/// exp(z); for z = -jkR the caller saves the exponential by exp_j.
template <class T>
CURLEW_HD complex<T> exp(complex<T> z) {
  const T magnitude = ::exp(z.re);
  return {magnitude * T(::cos(z.im)), magnitude * T(::sin(z.im))};
}
/// exp(j phase) for a real phase [rad].
template <class T>
CURLEW_HD complex<T> exp_j(T phase) {
  return {T(::cos(phase)), T(::sin(phase))};
}
/// The square root with a non-negative real part.
template <class T>
CURLEW_HD complex<T> sqrt(complex<T> z) {
  const T r = abs(z);
  if (r == T(0)) return {};
  const T a = ::sqrt((r + ::fabs(z.re)) / 2);
  const T b = z.im / (2 * a);
  if (z.re >= 0) return {a, b};
  return {::fabs(b), z.im < 0 ? -a : a};
}

}  // namespace curlew
