// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// exp(-jkR)/R in any medium and its gradient, whole and without the two terms that are integrated in closed
// form over near elements.

#include <cmath>

#include "base/types.hpp"

namespace curlew::ie {

/// A function of R [1/m] and the factor of its gradient along r - r' [1/m^3].
struct RadialKernel {
  Complex value, slope;
};

/// exp(-jkR)/R. @param k [1/m] @param r > 0 [m]
inline RadialKernel radial_kernel(Complex k, double r) {
  const Complex jx = Complex(0, 1) * k * r, g = std::exp(-jx) / r;
  return {g, -(1.0 + jx) * g / (r * r)};
}

/// The same without 1/R - k^2 R/2 and its gradient: smooth up to R = 0.
inline RadialKernel smooth_radial_kernel(Complex k, double r) {
  constexpr Complex j{0, 1};
  const Complex x = k * r;
  if (std::abs(x) < 0.02) {
    const Complex x2 = x * x;
    return {k * (-j + j * x2 / 6.0 + x2 * x / 24.0), k * k * k * (j / 3.0 + x / 8.0 - j * x2 / 30.0)};
  }
  const Complex e = std::exp(-j * x);
  return {k * (e - 1.0 + 0.5 * x * x) / x, k * k * k * ((1.0 - (1.0 + j * x) * e) / (x * x) + 0.5) / x};
}

}  // namespace curlew::ie
