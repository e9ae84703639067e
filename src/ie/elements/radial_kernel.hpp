// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// exp(-jkR)/R in any medium and its gradient, complete and without the two terms that are integrated in
// closed form over near elements. C is Complex, or complex<double> where a device computes it too.

#include "base/complex.hpp"
#include "base/types.hpp"

namespace curlew::ie {

/// A function of R [1/m] and the factor of its gradient along r - r' [1/m^3].
template <class C>
struct RadialKernel {
  C value, slope;
};

/// exp(-jkR)/R. @param k [1/m] @param r > 0 [m]
template <class C>
CURLEW_HD RadialKernel<C> radial_kernel(C k, double r) {
  const C jx = C(0, 1) * k * r, g = exp(-jx) / r;
  return {g, -(1.0 + jx) * g / (r * r)};
}

/// The same without 1/R - k^2 R/2 and its gradient: smooth up to R = 0.
template <class C>
CURLEW_HD RadialKernel<C> smooth_radial_kernel(C k, double r) {
  const C j(0, 1), x = k * r, x2 = x * x;
  if (abs(x) < 0.02)
    return {k * (-j + x2 * (j / 6.0 + x / 24.0 - x2 * (j / 120.0 + x / 720.0))),
            k * k * k * (j / 3.0 + x / 8.0 - x2 * (j / 30.0 + x / 144.0 - x2 * (j / 840.0)))};
  const C e = exp(-j * x);
  return {k * (e - 1.0 + 0.5 * x2) / x, k * k * k * ((1.0 - (1.0 + j * x) * e) / x2 + 0.5) / x};
}

}  // namespace curlew::ie
