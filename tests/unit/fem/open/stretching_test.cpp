// SPDX-License-Identifier: BSD-3-Clause
// Stretched coordinates: F is the derivative of the map it claims to be, and the constants are the published
// ones.
#include "fem/open/stretching.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fem/materials.hpp"

namespace curlew::fem {
namespace {

Stretching box_layer() {
  Stretching s;
  s.geometry.lo = {-1, -1, -1}, s.geometry.hi = {1, 2, 1};
  s.geometry.thickness_lo = {0.5, 0.5, 0}, s.geometry.thickness_hi = {0.25, 0.5, 0.5};
  s.depth = 0.7;
  return s;
}

Stretching shell() {
  Stretching s;
  s.geometry.shape = PmlShape::spherical;
  s.geometry.center = {0.1, -0.2, 0.3}, s.geometry.radius = 1, s.geometry.thickness = 0.4;
  s.depth = 0.6;
  return s;
}

/// x~ of a spherical layer, written out independently of its derivative.
Vec3<Complex> spherical_map(const Stretching& s, Vec3<double> x) {
  const Vec3<double> v = x - s.geometry.center;
  const double r = norm(v);
  const double d = std::max(0.0, r - s.geometry.radius);
  const Complex factor = Complex(r, -s.depth * std::pow(d / s.geometry.thickness, 3)) / r;
  return factor * v;
}

TEST(Stretching, SphericalGradientIsTheDerivativeOfTheMap) {
  const Stretching s = shell();
  const double h = 1e-6;
  for (const Vec3<double> x : {Vec3<double>{1.2, 0.1, 0.5}, {-0.5, -1.0, 1.0}, {0.3, 0.2, 0.1}}) {
    const auto F = s.gradient(x);
    for (int j = 0; j < 3; ++j) {
      Vec3<double> up = x, down = x;
      up[j] += h, down[j] -= h;
      const auto slope = (1 / (2 * h)) * (spherical_map(s, up) - spherical_map(s, down));
      for (int i = 0; i < 3; ++i) EXPECT_LT(std::abs(F(i, j) - slope[i]), 1e-8) << i << j;
    }
  }
}

/// diag(sy sz/sx, sx sz/sy, sx sy/sz). Source: Jin (2014), equation (9.6.12).
TEST(Stretching, CornerOfABoxGivesTheUniaxialTensor) {
  const Stretching s = box_layer();
  const Vec3<double> x{1.1, -1.3, 1.4};
  const Complex sx(1, -0.7 * 3 / 0.25 * 0.16), sy(1, -0.7 * 3 / 0.5 * 0.36), sz(1, -0.7 * 3 / 0.5 * 0.64);
  const auto F = s.gradient(x);
  const auto eps = stretched(F, Coefficient(2.0)).tensor, nu = stretched_inverse(F, Coefficient(0.5)).tensor;
  const Complex expected[3] = {sy * sz / sx, sx * sz / sy, sx * sy / sz};
  for (int i = 0; i < 3; ++i) {
    EXPECT_LT(std::abs(eps(i, i) - 2.0 * expected[i]), 1e-12);
    EXPECT_LT(std::abs(nu(i, i) - 0.5 / expected[i]), 1e-12);
  }
}

TEST(Stretching, InverseOfPermeabilityBelongsToPermeability) {
  Mat3<Complex> mu = Mat3<Complex>::diagonal(2.0);
  mu(0, 1) = mu(1, 0) = Complex(0.3, -0.1);
  const auto F = shell().gradient({1.2, 0.3, 0.6});
  const auto direct = stretched(F, Coefficient(mu)).inverse().tensor;
  const auto nu = stretched_inverse(F, Coefficient(mu).inverse());
  EXPECT_TRUE(nu.is_symmetric());
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_LT(std::abs(nu.tensor(i, j) - direct(i, j)), 1e-12);
}

TEST(Stretching, NothingChangesInside) {
  for (const auto& s : {box_layer(), shell()}) {
    const auto F = s.gradient({0.2, 0.1, 0.1});
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) EXPECT_EQ(F(i, j), Complex(i == j ? 1 : 0));
  }
}

}  // namespace
}  // namespace curlew::fem
