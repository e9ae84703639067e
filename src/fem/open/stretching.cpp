// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/stretching.hpp"

#include <cmath>

#include "fem/materials.hpp"

namespace curlew::fem {
namespace {

Coefficient scaled(const Mat3<Complex>& tensor, Complex factor) {
  Mat3<Complex> out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) out(i, j) = factor * tensor(i, j);
  // Removes rounding errors from the symmetry of tensors.
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j)
      if (tensor(i, j) == tensor(j, i)) out(i, j) = out(j, i);
  return out;
}

Mat3<Complex> sandwich(const Mat3<Complex>& F, const Coefficient& c) {
  Mat3<Complex> out = F * (c.as_tensor() * F);
  if (!c.is_symmetric()) return out;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) out(i, j) = out(j, i) = 0.5 * (out(i, j) + out(j, i));
  return out;
}

/// d x~/dx at depth d of a layer.
Complex slope(double d, double thickness, double depth) {
  if (thickness <= 0 || d <= 0) return 1;
  const double share = d / thickness;
  return Complex(1, -depth * 3 / thickness * share * share);
}

Mat3<Complex> spherical_gradient(const Stretching& s, Vec3<double> x) {
  const Vec3<double> from_center = x - s.geometry.center;
  const double r = norm(from_center), d = r - s.geometry.radius;
  if (d <= 0) return Mat3<Complex>::diagonal(1.0);
  const Complex radial = slope(d, s.geometry.thickness, s.depth);
  const Complex tangential = Complex(r, -s.depth * std::pow(d / s.geometry.thickness, 3)) / r;  // r~ / r
  const Vec3<double> n = (1 / r) * from_center;
  Mat3<Complex> F = Mat3<Complex>::diagonal(tangential);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) F(i, j) += (radial - tangential) * (n[i] * n[j]);
  return F;
}

}  // namespace

Mat3<Complex> Stretching::gradient(Vec3<double> x) const {
  if (geometry.shape == PmlShape::spherical) return spherical_gradient(*this, x);
  Mat3<Complex> F;
  for (int i = 0; i < 3; ++i) {
    const bool below = x[i] < geometry.lo[i];
    const double d = below ? geometry.lo[i] - x[i] : x[i] - geometry.hi[i];
    F(i, i) = slope(d, below ? geometry.thickness_lo[i] : geometry.thickness_hi[i], depth);
  }
  return F;
}

Coefficient stretched(const Mat3<Complex>& F, const Coefficient& c) {
  const Complex det = determinant(F);
  return scaled(sandwich(adjugate(F), c), 1.0 / det);  // F^-1 = adj F / det F
}

Coefficient stretched_inverse(const Mat3<Complex>& F, const Coefficient& inverse) {
  return scaled(sandwich(F, inverse), 1.0 / determinant(F));
}

}  // namespace curlew::fem
