// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hankel functions of the second kind, orders 0 and 1, of real and complex argument, on host and device and
// for the compiler's vectors. Method: below 8 polynomials and a logarithm, above the amplitude-phase form;
// complex arguments through K0 and K1 of the right half plane, whose scaled forms are sums over poles on the
// negative axis. Source: DLMF 10.8, 10.17, 10.27.8, 10.31; coefficients: scripts/hankel_tables.py.

#include "base/complex.hpp"
#include "base/macros.hpp"
#include "green/elementary.hpp"
#include "green/hankel_tables.hpp"

namespace curlew::green {

/// A complex number whose parts are doubles or vectors of doubles.
template <class V>
struct Parts {
  V re, im;
};

/// H0(2) and H1(2) at one argument (or at those of a vector).
template <class V>
struct HankelPair {
  Parts<V> h0, h1;
};

namespace detail {

/// Even and odd powers separately: two short dependency chains instead of a long one.
template <class Table, class V>
CURLEW_HD V polynomial(V s) {
  constexpr int last = Table::size - 1, even = last - last % 2, odd = last - 1 + last % 2;
  const V s2 = s * s;
  V e = s * 0.0 + Table::at(even), o = s * 0.0 + Table::at(odd);
#pragma GCC unroll 16
  for (int i = even - 2; i >= 0; i -= 2) e = e * s2 + Table::at(i);
#pragma GCC unroll 16
  for (int i = odd - 2; i >= 0; i -= 2) o = o * s2 + Table::at(i);
  return e + s * o;
}

/// ln x for normal x > 0. Source: fdlibm's e_log (Sun Microsystems, 1993), its seven coefficients.
template <class V>
CURLEW_HD V logarithm(V x) {
  using I = typename Bits<V, std::int64_t>::type;
  const I bits = bit_cast<I>(x) - std::int64_t(0x3fe6a09e667f3bcd);  // sqrt(1/2): the mantissa lies around 1
  const I exponent = bits >> 52;
  const V m = bit_cast<V>(I(bit_cast<I>(x) - (exponent << 52)));
  // Integer to double through the mantissa, which every processor can do with vector instructions.
  const V e = bit_cast<V>(I(exponent + std::int64_t(0x4338000000000000))) - 6755399441055744.0;
  const V f = m - 1.0;
  const V s = f / (f + 2.0), z = s * s;
  V r = z * 1.479819860511658591e-01 + 1.531383769920937332e-01;
  r = r * z + 1.818357216161805012e-01;
  r = r * z + 2.222219843214978396e-01;
  r = r * z + 2.857142874366239149e-01;
  r = r * z + 3.999999999940941908e-01;
  r = r * z + 6.666666666666735130e-01;
  r = r * z;
  const V half_square = 0.5 * f * f;
  return e * 6.93147180369123816490e-01 -
         ((half_square - (s * (half_square + r) + e * 1.90821492927058770002e-10)) - f);
}

constexpr double border = 8;
constexpr double two_over_pi = 0.636619772367581343;

/// 0 < x < 8; `order1` as well if it is not null.
template <class V>
CURLEW_HD void hankel_series(V x, Parts<V>& h0, Parts<V>* h1) {
  const V s = x * x * (2 / (border * border)) - 1.0;
  const V l = two_over_pi * logarithm(V(0.5 * x));
  h0.re = polynomial<tables::J0>(s);
  h0.im = -(l * h0.re + polynomial<tables::Y0>(s));
  if (h1 == nullptr) return;
  const V j1 = polynomial<tables::J1>(s);
  h1->re = x * j1;
  h1->im = two_over_pi / x - x * (l * j1 + polynomial<tables::Y1>(s));
}

/// x >= 8.
template <class V>
CURLEW_HD void hankel_asymptotic(V x, Parts<V>& h0, Parts<V>* h1) {
  const V u = border / x;
  const V v = 2.0 * u * u - 1.0;
  V sine, cosine;
  sincos<double>(x, sine, cosine);
  // sqrt(2/(pi x)) exp(-j(x - pi/4)) = sqrt(1/(pi x)) ((cos x + sin x) + j (cos x - sin x))
  const V amplitude = 0.564189583547756287 * inverse_sqrt(x);
  const V a = amplitude * (cosine + sine), b = amplitude * (cosine - sine);
  const V p = polynomial<tables::P0>(v), q = u * polynomial<tables::Q0>(v);
  h0.re = a * p - b * q;
  h0.im = a * q + b * p;
  if (h1 == nullptr) return;
  const V p1 = polynomial<tables::P1>(v), q1 = u * polynomial<tables::Q1>(v);
  h1->re = -(a * q1 + b * p1);  // another factor exp(j pi/2)
  h1->im = a * p1 - b * q1;
}

}  // namespace detail

/// H0(2)(x) = J0 - jY0 for 0 < x < 1e8; error below 1e-14 |H0| (rounding of x itself excepted).
CURLEW_HD Parts<double> hankel2_0(double x) {
  Parts<double> h0;
  if (x < detail::border) {
    detail::hankel_series<double>(x, h0, nullptr);
  } else {
    detail::hankel_asymptotic<double>(x, h0, nullptr);
  }
  return h0;
}
/// Both orders, the same range and error.
CURLEW_HD HankelPair<double> hankel2(double x) {
  HankelPair<double> h;
  if (x < detail::border) {
    detail::hankel_series<double>(x, h.h0, &h.h1);
  } else {
    detail::hankel_asymptotic<double>(x, h.h0, &h.h1);
  }
  return h;
}

#ifndef __CUDACC__
namespace detail {
/// Whether any lane of a comparison's result is true; the compiler would go lane by lane.
template <class Mask>
inline bool any(Mask m) {
#if defined(__AVX512F__)
  return _mm512_test_epi64_mask(__m512i(m), __m512i(m)) != 0;
#elif defined(__AVX__)
  return _mm256_testz_si256(__m256i(m), __m256i(m)) == 0;
#else
  return (m[0] | m[1]) != 0;
#endif
}
template <bool both>
inline HankelPair<VecD> hankel_lanes(VecD x) {
  const VecD edge = VecD{} + border;
  HankelPair<VecD> low, high;
  // Neighbours on a contour are mostly on the same side.
  if (!any(x < edge)) {
    hankel_asymptotic<VecD>(x, high.h0, both ? &high.h1 : nullptr);
    return high;
  }
  if (!any(x >= edge)) {
    hankel_series<VecD>(x, low.h0, both ? &low.h1 : nullptr);
    return low;
  }
  hankel_series<VecD>(VecD(x < edge ? x : edge), low.h0, both ? &low.h1 : nullptr);
  hankel_asymptotic<VecD>(VecD(x < edge ? edge : x), high.h0, both ? &high.h1 : nullptr);
  const auto is_low = x < edge;
  high.h0 = {is_low ? low.h0.re : high.h0.re, is_low ? low.h0.im : high.h0.im};
  if constexpr (both) high.h1 = {is_low ? low.h1.re : high.h1.re, is_low ? low.h1.im : high.h1.im};
  return high;
}
}  // namespace detail
/// Several arguments at once: where they need both forms, both are computed and one is chosen in each lane.
inline Parts<VecD> hankel2_0(VecD x) {
  return detail::hankel_lanes<false>(x).h0;
}
inline HankelPair<VecD> hankel2(VecD x) {
  return detail::hankel_lanes<true>(x);
}
#endif

namespace detail {

/// The square root in the right half plane of a w with Re w >= 0, w != 0.
template <class V>
CURLEW_HD Parts<V> sqrt_right(Parts<V> w, V modulus) {
  const V square = 0.5 * (modulus + w.re);  // no cancellation: Re w >= 0
  const V inverse = inverse_sqrt(square);
  return {square * inverse, 0.5 * w.im * inverse};
}

/// K0 and K1 for Re w >= 0, |w| >= 1.5.
template <class V>
CURLEW_HD void bessel_k_poles(Parts<V> w, Parts<V>& k0, Parts<V>& k1) {
  const V square = w.re * w.re + w.im * w.im;
  Parts<V> f0{w.re * 0.0 + 1.25331413731550025, w.re * 0.0}, f1 = f0;
#pragma GCC unroll 16
  for (int i = 0; i < tables::Poles::size; ++i) {
    const V re = w.re + tables::Poles::at(i);
    const V scale = 1.0 / (re * re + w.im * w.im);
    const V a = re * scale, b = -w.im * scale;
    f0.re += tables::Residues0::at(i) * a;
    f0.im += tables::Residues0::at(i) * b;
    f1.re += tables::Residues1::at(i) * a;
    f1.im += tables::Residues1::at(i) * b;
  }
  const V modulus = square * inverse_sqrt(square);
  const Parts<V> root = sqrt_right(w, modulus);
  V sine, cosine;
  sincos<double>(w.im, sine, cosine);
  const V size = exp_negative<double>(V(-w.re)) / modulus;  // exp(-w)/sqrt(w) = exp(-w) conj(root)/|w|
  const V c = size * (cosine * root.re - sine * root.im), d = -size * (cosine * root.im + sine * root.re);
  k0 = {c * f0.re - d * f0.im, c * f0.im + d * f0.re};
  k1 = {c * f1.re - d * f1.im, c * f1.im + d * f1.re};
}

/// K0 and K1 for 0 < |w| < 1.5: power series, DLMF 10.31.1 and 10.31.2.
CURLEW_HD void bessel_k_series(complex<double> w, complex<double>& k0, complex<double>& k1) {
  constexpr double euler = 0.577215664901532861;
  const complex<double> t = 0.25 * (w * w);
  const complex<double> l(0.5 * ::log(0.25 * norm2(w)) + euler, ::atan2(w.im, w.re));
  complex<double> term = 1, i0 = 0, i1 = 0, s0 = 0, s1 = 0;  // term = t^n/(n!)^2
  double harmonic = 0;
  for (int n = 0; n < 13; ++n) {
    const double inverse = 1.0 / (n + 1);
    i0 += term;
    s0 += harmonic * term;
    i1 += inverse * term;
    s1 += (inverse * (2 * harmonic + inverse)) * term;
    harmonic += inverse;
    term *= (inverse * inverse) * t;
  }
  k0 = s0 - l * i0;
  k1 = complex<double>(1) / w + 0.5 * (w * (l * i1 - 0.5 * s1));
}

}  // namespace detail

/// H0(2)(z) and H1(2)(z) for Im z <= 0, z != 0 (passive media under exp(+jwt)); error below 1e-14 of each.
/// Source: H0(2)(z) = (2j/pi) K0(jz), H1(2)(z) = -(2/pi) K1(jz), DLMF 10.27.8.
CURLEW_HD HankelPair<double> hankel2(complex<double> z) {
  const complex<double> w(-z.im, z.re);
  Parts<double> k0, k1;
  if (norm2(w) < 2.25) {
    complex<double> a, b;
    detail::bessel_k_series(w, a, b);
    k0 = {a.re, a.im};
    k1 = {b.re, b.im};
  } else {
    detail::bessel_k_poles<double>({w.re, w.im}, k0, k1);
  }
  constexpr double c = detail::two_over_pi;
  return {{-c * k0.im, c * k0.re}, {-c * k1.re, -c * k1.im}};
}

#ifndef __CUDACC__
/// Several complex arguments at once.
inline HankelPair<VecD> hankel2(Parts<VecD> z) {
  constexpr double c = detail::two_over_pi;
  Parts<VecD> k0, k1;
  detail::bessel_k_poles<VecD>({-z.im, z.re}, k0, k1);
  HankelPair<VecD> h{{-c * k0.im, c * k0.re}, {-c * k1.re, -c * k1.im}};
  const VecD square = z.re * z.re + z.im * z.im;
  for (int i = 0; i < double_lanes; ++i) {
    if (square[i] >= 2.25) continue;
    const auto one = hankel2(complex<double>(z.re[i], z.im[i]));
    h.h0.re[i] = one.h0.re, h.h0.im[i] = one.h0.im;
    h.h1.re[i] = one.h1.re, h.h1.im[i] = one.h1.im;
  }
  return h;
}
#endif

}  // namespace curlew::green
