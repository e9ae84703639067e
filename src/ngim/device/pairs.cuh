// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The innermost sum on the device: one source at one or two targets held in registers.

#include <type_traits>

#include "base/complex.hpp"
#include "green/helmholtz3d.hpp"

namespace curlew::ngim::device {

/// Sums and products that the compiler must not fuse: equal positions give a distance of exactly 0.
__device__ __forceinline__ float exact_sum(float a, float b) {
  return __fadd_rn(a, b);
}
__device__ __forceinline__ double exact_sum(double a, double b) {
  return __dadd_rn(a, b);
}
__device__ __forceinline__ float exact_product(float a, float b) {
  return __fmul_rn(a, b);
}
__device__ __forceinline__ double exact_product(double a, double b) {
  return __dmul_rn(a, b);
}

/// How exp(-jkR) is evaluated: a series in R^2 where all phases are below series_limit (three
/// special-function operations become one), the hardware's sine and cosine in single precision, polynomials
/// in double. `scaled` is `full` in single precision for coordinates in units of 1/k, where the phase is the
/// distance: one product less; a part of the pairs may then take polynomials.
enum class Wave { static_kernel, short_series, series, full, scaled, lossy };
inline constexpr double short_series_limit = 0.5, series_limit = 1.2;  // radians: neglected terms below 4e-6

/// How to evaluate waves without loss whose phases stay below `most` radians.
template <class T>
Wave wave_of(double most) {
  if (sizeof(T) == 8 || most > series_limit) return Wave::full;
  return most > short_series_limit ? Wave::series : Wave::short_series;
}

template <class T>
struct Kernel {
  green::Wavenumber<T> k;
  T c[5], s[5];  ///< series of cos(kR) and -sin(kR)/R in R^2
};

template <class T>
inline Kernel<T> make_kernel(green::Wavenumber<double> k) {
  Kernel<T> kernel{{T(k.re), T(k.loss)}, {}, {}};
  double term = 1;
  for (int i = 0; i < 5; ++i) {  // (-k^2)^i / (2i)!, and k (-k^2)^i / (2i+1)!
    kernel.c[i] = T(term);
    kernel.s[i] = T(-k.re * term / (2 * i + 1));
    term *= -k.re * k.re / ((2 * i + 1) * (2 * i + 2));
  }
  return kernel;
}

template <class T>
inline constexpr T tiny = sizeof(T) == 4 ? T(1e-30) : T(1e-200);

__device__ __forceinline__ float inverse_sqrt_normal(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}
__device__ __forceinline__ double inverse_sqrt_normal(double x) {
  return rsqrt(x);
}

/// exp(-j phase) times a: 15 instructions of the arithmetic units, none of the special-function units. Half
/// turns are removed by adding a number whose last bit is half a turn; that bit is the sign.
__device__ __forceinline__ green::Pair<float> rotate_by_polynomial(float a, float phase) {
  constexpr float magic = 6291456.0f, turns = 0.159154943f;  // 1.5 * 2^22, 1/(2 pi)
  const float shifted = ::fmaf(phase, turns, magic), f = ::fmaf(phase, turns, magic - shifted),
              f2 = f * f;  // |f| <= 1/4
  const float sign_a = __uint_as_float((__float_as_uint(shifted) << 31) + __float_as_uint(a));
  float s = 7.161119430e+01f, c = 5.624054044e+01f;
  s = -6.283180540e+00f + f2 * (4.133925387e+01f + f2 * (-8.140833659e+01f + f2 * s));
  c = 9.999999532e-01f +
      f2 * (-1.973917132e+01f + f2 * (6.493458165e+01f + f2 * (-8.524010036e+01f + f2 * c)));
  return {sign_a * c, sign_a * (f * s)};
}

/// Which pairs of an unrolled loop use polynomials: 6 of 16, evenly, keep both kinds of units busy.
constexpr bool takes_polynomial(int pair) {
  constexpr int part = 6;
  return (pair + 1) * part / 16 != pair * part / 16;
}

/// g = exp(-jkR)/R. Masked: 0 at R = 0, for three instructions more. Points at one position are in one leaf,
/// so only the pairs within a leaf need the mask.
/// @tparam polynomial sine and cosine in single precision without special functions: a part of the pairs done
///         so takes load off the units that limit the others
template <Wave W, bool masked, bool polynomial, class T>
__device__ __forceinline__ green::Pair<T> green_value(T r2, T r_inv, const Kernel<T>& kernel) {
  if constexpr (W == Wave::static_kernel) {
    return {r_inv, T(0)};
  } else if constexpr (W == Wave::short_series || W == Wave::series) {
    T c = kernel.c[3], s = kernel.s[2];
    if constexpr (W == Wave::series) {
      c += r2 * kernel.c[4];
      s += r2 * kernel.s[3];
    }
    c = kernel.c[0] + r2 * (kernel.c[1] + r2 * (kernel.c[2] + r2 * c));
    s = kernel.s[0] + r2 * (kernel.s[1] + r2 * s);
    return {c * r_inv, !masked || r2 > T(1e-37) ? s : T(0)};
  } else if constexpr (W == Wave::scaled && polynomial) {
    return rotate_by_polynomial(r_inv, r2 * r_inv);
  } else if constexpr (W == Wave::scaled || (W == Wave::full && sizeof(T) == 4)) {
    const T r = r2 * r_inv, phase = W == Wave::scaled ? r : kernel.k.re * r;
    return {r_inv * __cosf(phase), -r_inv * __sinf(phase)};
  } else if constexpr (W == Wave::full) {
    return green::green<green::Medium::lossless, T>(r2, r_inv, kernel.k);
  } else {
    return green::green<green::Medium::lossy, T>(r2, r_inv, kernel.k);
  }
}

/// What coordinates are multiplied by before add_pair sees them, and its sums once (gradients twice) after.
template <Wave W, class T>
__device__ __forceinline__ T coordinate_scale(const Kernel<T>& kernel) {
  return W == Wave::scaled ? kernel.k.re : T(1);
}

template <class T>
struct Sum {
  T v[8] = {};  ///< potential re, im, gradient x re, x im, ...
};

template <class T>
struct Distance {
  T r2, r_inv;
};

/// R^2 and 1/R. Masked: 1/R = 0 at R = 0; otherwise positions that round to one give a large number, not
/// infinity.
template <bool masked, class T>
__device__ __forceinline__ Distance<T> distance(T dx, T dy, T dz) {
  if constexpr (masked) {
    const T r2 = dx * dx + dy * dy + dz * dz;
    return {r2, green::inverse_sqrt(r2)};
  }
  const T r2 = ::fma(dz, dz, ::fma(dy, dy, ::fma(dx, dx, tiny<T>)));
  return {r2, inverse_sqrt_normal(r2)};
}

/// Adds the fields of C charges at the place (sx, sy, sz).
template <Wave W, bool gradient, bool masked, bool polynomial, int C, class T>
__device__ __forceinline__ void add_pair(Sum<T> (&sum)[C], T dx, T dy, T dz, const complex<T> (&q)[C],
                                         const Kernel<T>& kernel) {
  const auto [r2, r_inv] = distance<masked>(dx, dy, dz);
  const auto g = green_value<W, masked, polynomial, T>(r2, r_inv, kernel);
  green::Pair<T> f{};
  if constexpr (gradient) {
    constexpr auto medium = W == Wave::static_kernel
                                ? green::Medium::static_kernel
                                : (W == Wave::lossy ? green::Medium::lossy : green::Medium::lossless);
    const auto k = W == Wave::scaled ? green::Wavenumber<T>{T(1), T(0)} : kernel.k;
    f = green::gradient_factor<medium, T>(r2, r_inv, g, k);
  }
#pragma unroll
  for (int c = 0; c < C; ++c) {
    T* v = sum[c].v;
    v[0] = ::fma(g.re, q[c].re, v[0]);
    v[1] = ::fma(g.re, q[c].im, v[1]);
    if constexpr (W != Wave::static_kernel) {
      v[0] = ::fma(-g.im, q[c].im, v[0]);
      v[1] = ::fma(g.im, q[c].re, v[1]);
    }
    if constexpr (gradient) {
      T h_re = f.re * q[c].re, h_im = f.re * q[c].im;
      if constexpr (W != Wave::static_kernel) {
        h_re = ::fma(-f.im, q[c].im, h_re);
        h_im = ::fma(f.im, q[c].re, h_im);
      }
      v[2] += h_re * dx, v[3] += h_im * dx;
      v[4] += h_re * dy, v[5] += h_im * dy;
      v[6] += h_re * dz, v[7] += h_im * dz;
    }
  }
}

/// Whether a potential's pair adds its charge's argument to the phase, which saves three of 17 instructions.
template <Wave W, bool gradient, int C>
inline constexpr bool is_polar = W == Wave::scaled&& C == 1 && !gradient;

/// |q| and -arg q.
__device__ __forceinline__ complex<float> polar(complex<float> q) {
  return {::hypotf(q.re, q.im), -::atan2f(q.im, q.re)};
}

/// add_pair of one charge for the potential of a scaled wave.
/// @param q polar(charge)
template <bool masked, bool polynomial>
__device__ __forceinline__ void add_polar_pair(Sum<float>& sum, float dx, float dy, float dz,
                                               complex<float> q) {
  const auto [r2, r_inv] = distance<masked>(dx, dy, dz);
  const float a = q.re * r_inv, phase = ::fmaf(r2, r_inv, q.im);
  if constexpr (polynomial) {
    const auto g = rotate_by_polynomial(a, phase);
    sum.v[0] += g.re, sum.v[1] += g.im;
  } else {
    sum.v[0] = ::fmaf(a, __cosf(phase), sum.v[0]);
    sum.v[1] = ::fmaf(-a, __sinf(phase), sum.v[1]);
  }
}

/// add_pair or add_polar_pair, with or without polynomials: the best mixture of an unrolled loop.
/// @param pair its number in the loop, a constant after unrolling
/// @param q polar where is_polar
template <Wave W, bool gradient, bool masked, int C, class T>
__device__ __forceinline__ void add_mixed_pair(int pair, Sum<T> (&sum)[C], T dx, T dy, T dz,
                                               const complex<T> (&q)[C], const Kernel<T>& kernel) {
  const auto add = [&]<bool polynomial>(std::bool_constant<polynomial>) {
    if constexpr (is_polar<W, gradient, C>)
      add_polar_pair<masked, polynomial>(sum[0], dx, dy, dz, q[0]);
    else
      add_pair<W, gradient, masked, polynomial, C, T>(sum, dx, dy, dz, q, kernel);
  };
  if constexpr (W == Wave::scaled) {
    if (takes_polynomial(pair % 16)) return add(std::true_type());
  }
  add(std::false_type());
}

}  // namespace curlew::ngim::device
