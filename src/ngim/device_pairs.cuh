// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The innermost sum on the device: one source at one or two targets held in registers.

#include "base/complex.hpp"
#include "green/helmholtz3d.hpp"

namespace curlew::ngim::device {

/// How exp(-jkR) is evaluated: a series in R^2 where all phases are below series_limit (three
/// special-function operations become one), the hardware's sine and cosine in single precision, polynomials
/// in double.
enum class Wave { still, short_series, series, full, lossy };
inline constexpr double short_series_limit = 0.5, series_limit = 1.2;  // radians: neglected terms below 4e-6

template <class T>
struct alignas(4 * sizeof(T)) Source {
  T x, y, z, re;
};

template <class T>
struct Kernel {
  green::Wavenumber<T> k;
  T c[5], s[5];  ///< series of cos(kR) and -sin(kR)/R in R^2
};

template <class T>
inline Kernel<T> make_kernel(green::Wavenumber<T> k) {
  Kernel<T> kernel{k, {}, {}};
  double term = 1;
  for (int i = 0; i < 5; ++i) {  // (-k^2)^i / (2i)!, and k (-k^2)^i / (2i+1)!
    kernel.c[i] = T(term);
    kernel.s[i] = T(-double(k.re) * term / (2 * i + 1));
    term *= -double(k.re) * double(k.re) / ((2 * i + 1) * (2 * i + 2));
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

/// g = exp(-jkR)/R. Masked: 0 at R = 0, for three instructions more. Points at one place share a leaf, so
/// only the leaf with itself needs the mask.
template <Wave W, bool masked, class T>
__device__ __forceinline__ green::Pair<T> green_value(T r2, T r_inv, const Kernel<T>& kernel) {
  if constexpr (W == Wave::still) {
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
  } else if constexpr (W == Wave::full && sizeof(T) == 4) {
    const T phase = kernel.k.re * (r2 * r_inv);
    return {r_inv * __cosf(phase), -r_inv * __sinf(phase)};
  } else if constexpr (W == Wave::full) {
    return green::green<green::Medium::lossless, T>(r2, r_inv, kernel.k);
  } else {
    return green::green<green::Medium::lossy, T>(r2, r_inv, kernel.k);
  }
}

template <class T>
struct Sum {
  T v[8] = {};  ///< potential re, im, gradient x re, x im, ...
};

template <Wave W, bool gradient, class T, bool masked = true>
__device__ __forceinline__ void add_pair(Sum<T>& sum, T tx, T ty, T tz, const Source<T>& s, T im,
                                         const Kernel<T>& kernel) {
  const T dx = tx - s.x, dy = ty - s.y, dz = tz - s.z;
  T r2, r_inv;
  if constexpr (masked) {
    r2 = dx * dx + dy * dy + dz * dz;
    r_inv = green::inverse_sqrt(r2);
  } else {  // what rounds to one place gives a large number, not infinity
    r2 = ::fma(dz, dz, ::fma(dy, dy, ::fma(dx, dx, tiny<T>)));
    r_inv = inverse_sqrt_normal(r2);
  }
  const auto g = green_value<W, masked, T>(r2, r_inv, kernel);
  sum.v[0] += g.re * s.re;
  sum.v[1] += g.re * im;
  if constexpr (W != Wave::still) {
    sum.v[0] = ::fma(-g.im, im, sum.v[0]);
    sum.v[1] = ::fma(g.im, s.re, sum.v[1]);
  }
  if constexpr (gradient) {
    constexpr auto medium = W == Wave::still
                                ? green::Medium::still
                                : (W == Wave::lossy ? green::Medium::lossy : green::Medium::lossless);
    const auto f = green::gradient_factor<medium, T>(r2, r_inv, g, kernel.k);
    const T h_re = f.re * s.re - f.im * im, h_im = f.re * im + f.im * s.re;
    sum.v[2] += h_re * dx, sum.v[3] += h_im * dx;
    sum.v[4] += h_re * dy, sum.v[5] += h_im * dy;
    sum.v[6] += h_re * dz, sum.v[7] += h_im * dz;
  }
}

}  // namespace curlew::ngim::device
