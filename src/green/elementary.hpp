// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Elementary functions for float, double and vectors of them, on host and device, by the same polynomials:
// reduction by multiples of pi or ln 2 (Cody and Waite, 1980), then Taylor polynomials long enough for the
// type.

#include <cmath>
#include <cstdint>
#include <cstring>
#ifndef __CUDACC__
#include <immintrin.h>
#endif

#include "base/macros.hpp"
#include "base/vector_width.hpp"

namespace curlew::green {

#ifndef __CUDACC__
/// SIMD vectors of floats or doubles. Functions of them are inlined, so that they are not passed to
/// libraries.
typedef float VecF __attribute__((vector_size(vector_bytes)));
typedef double VecD __attribute__((vector_size(vector_bytes)));
inline constexpr int double_lanes = vector_bytes / int(sizeof(double));
#endif

namespace detail {

template <class T>
struct Constants;
template <>
struct Constants<float> {
  using Int = std::int32_t;
  static constexpr float magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer
  static constexpr float pi_high = 3.14159274101257324f, pi_low = -8.74227765734758577e-8f;
  static constexpr float ln2_high = 0.693147182464599609f, ln2_low = -1.90465429995776780e-9f;
  static constexpr int mantissa = 23, bias = 127;
  static constexpr int sine_terms = 6, exp_terms = 8;
  static constexpr float least_exponent = -87.0f;
};
template <>
struct Constants<double> {
  using Int = std::int64_t;
  static constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
  static constexpr double pi_high = 3.141592653589793116, pi_low = 1.2246467991473532e-16;
  static constexpr double ln2_high = 0.693147180559945286, ln2_low = 2.3190468138462996e-17;
  static constexpr int mantissa = 52, bias = 1023;
  static constexpr int sine_terms = 11, exp_terms = 14;
  static constexpr double least_exponent = -700.0;
};

template <class V, class I>
struct Bits {
  typedef I type;
};
#ifndef __CUDACC__
template <>
struct Bits<VecF, std::int32_t> {
  typedef std::int32_t type __attribute__((vector_size(vector_bytes)));
};
template <>
struct Bits<VecD, std::int64_t> {
  typedef std::int64_t type __attribute__((vector_size(vector_bytes)));
};
#endif

template <class To, class From>
CURLEW_HD To bit_cast(From from) {
  To to;
  memcpy(&to, &from, sizeof to);
  return to;
}

/// 1/n!
CURLEW_HD constexpr double inverse_factorial(int n) {
  return n < 2 ? 1.0 : inverse_factorial(n - 1) / n;
}

/// sum of (+-z)^i / (Degree + Step i)! for i < Terms, minus where Alternating, by Horner's rule; a recursion
/// of templates, so that every factorial is a constant of the program.
template <class T, int Degree, int Step, int Terms, bool Alternating, class V>
CURLEW_HD V taylor(V z) {
  constexpr T coefficient = T(inverse_factorial(Degree));
  if constexpr (Terms == 1) {
    return z * T(0) + coefficient;
  } else {
    const V rest = taylor<T, Degree + Step, Step, Terms - 1, Alternating>(z);
    if constexpr (Alternating)
      return coefficient - z * rest;
    else
      return coefficient + z * rest;
  }
}

}  // namespace detail

/// sin x and cos x; error a few units in the last place for |x| below 1e4 (float) or 1e8 (double).
template <class T, class V>
CURLEW_HD void sincos(V x, V& s, V& c) {
  using C = detail::Constants<T>;
  using Int = typename C::Int;
  using I = typename detail::Bits<V, Int>::type;
  const V shifted = x * T(0.318309886183790671537767526745) + C::magic;
  const V n = shifted - C::magic;
  const V r = (x - n * C::pi_high) - n * C::pi_low;  // |r| <= pi/2
  const V z = r * r;
  const V ps = detail::taylor<T, 1, 2, C::sine_terms, true>(z);
  const V pc = detail::taylor<T, 0, 2, C::sine_terms + 1, true>(z);
  const I sign = detail::bit_cast<I>(shifted) << Int(sizeof(T) * 8 - 1);  // odd multiples of pi flip both
  s = detail::bit_cast<V>(detail::bit_cast<I>(V(ps * r)) ^ sign);
  c = detail::bit_cast<V>(detail::bit_cast<I>(pc) ^ sign);
}

CURLEW_HD float larger(float a, float b) {
  return a > b ? a : b;
}
CURLEW_HD double larger(double a, double b) {
  return a > b ? a : b;
}

/// exp x for x <= 0; arguments whose result would underflow give the smallest normal numbers.
template <class T, class V>
CURLEW_HD V exp_negative(V x) {
  using C = detail::Constants<T>;
  using Int = typename C::Int;
  using I = typename detail::Bits<V, Int>::type;
  const V least = x * T(0) + C::least_exponent;
  x = x > least ? x : least;
  const V shifted = x * T(1.44269504088896340735992468100) + C::magic;
  const V n = shifted - C::magic;
  const V r = (x - n * C::ln2_high) - n * C::ln2_low;
  const V p = detail::taylor<T, 0, 1, C::exp_terms + 1, false>(r);
  const I power = (detail::bit_cast<I>(shifted) + Int(C::bias)) << Int(C::mantissa);
  return p * detail::bit_cast<V>(power);
}

#ifndef __CUDACC__
/// 1/sqrt(x), or 0 where x is 0 (or so small that its root is not a normal number).
inline VecF inverse_sqrt(VecF x) {
#ifdef __AVX512F__
  const VecF y = _mm512_maskz_rsqrt14_ps(_mm512_cmp_ps_mask(x, _mm512_set1_ps(1e-37f), _CMP_GT_OQ), x);
  return y * (1.5f - 0.5f * x * y * y);
#else
#ifdef __AVX__
  const VecF root = _mm256_sqrt_ps(x);
#else
  const VecF root = _mm_sqrt_ps(x);
#endif
  return x > 1e-37f ? 1.0f / root : VecF{};
#endif
}
inline VecD inverse_sqrt(VecD x) {
#ifdef __AVX512F__
  VecD y = _mm512_maskz_rsqrt14_pd(_mm512_cmp_pd_mask(x, _mm512_set1_pd(1e-300), _CMP_GT_OQ), x);
  y = y * (1.5 - 0.5 * x * y * y);
  return y * (1.5 - 0.5 * x * y * y);
#else
#ifdef __AVX__
  const VecD root = _mm256_sqrt_pd(x);
#else
  const VecD root = _mm_sqrt_pd(x);
#endif
  return x > 1e-300 ? 1.0 / root : VecD{};
#endif
}
#endif
CURLEW_HD float inverse_sqrt(float x) {
#ifdef __CUDA_ARCH__
  float y;  // rsqrtf would treat subnormal arguments, which are 0 here, by extra instructions
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return x > 1e-37f ? y : 0.0f;
#else
  return x > 1e-37f ? 1.0f / std::sqrt(x) : 0.0f;
#endif
}
CURLEW_HD double inverse_sqrt(double x) {
#ifdef __CUDA_ARCH__
  return x > 1e-300 ? rsqrt(x) : 0.0;
#else
  return x > 1e-300 ? 1.0 / std::sqrt(x) : 0.0;
#endif
}

}  // namespace curlew::green
