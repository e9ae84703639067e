// SPDX-License-Identifier: BSD-3-Clause
// The series against published numbers, closed forms and each other.
#include "mie.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace curlew::test {
namespace {

constexpr double pi = std::numbers::pi, c0 = 299792458.0;
using C = std::complex<double>;

double k_of(double frequency) {
  return 2 * pi * frequency / c0;
}

// UTAustinCEMGroup/AustinCEMBenchmarks, problem I-A: sphere of 0.6 m diameter; back, 90 degrees, forward.
TEST(Mie, ConductingSphereOfTheAustinBenchmarks) {
  const Mie low(conducting_sphere(0.3), k_of(10e6)), high(conducting_sphere(0.3), k_of(320e6));

  EXPECT_NEAR(dbsm(low.rcs(pi, 0).total()), -44.007612, 1e-4);
  EXPECT_NEAR(dbsm(low.rcs(0, 0).total()), -53.503967, 1e-4);
  EXPECT_NEAR(dbsm(high.rcs(pi, 0).total()), -5.224978, 1e-4);
  EXPECT_NEAR(dbsm(high.rcs(0, 0).total()), 1.707440, 1e-4);
  // V lies across the plane of the cut, H in it.
  EXPECT_NEAR(dbsm(low.rcs(pi / 2, pi / 2).total()), -47.514090, 1e-4);
  EXPECT_NEAR(dbsm(high.rcs(pi / 2, 0).total()), -0.355349, 1e-4);
}

TEST(Mie, DielectricSphere) {  // validation.md of the suite's guide, computed elsewhere
  const Mie mie(dielectric_sphere(0.5, 4), k_of(300e6));

  EXPECT_NEAR(dbsm(mie.rcs(pi, 0).total()), 5.7558, 1e-3);
  EXPECT_NEAR(dbsm(mie.rcs(0, 0).total()), 11.5642, 1e-3);
  EXPECT_NEAR(mie.q_scattering(), 2.45277, 1e-4);
  EXPECT_NEAR(mie.q_absorption(), 0, 1e-12);
}

TEST(Mie, SmallSpheresAreDipoles) {  // Bohren and Huffman, chapter 5; Jackson, section 10.1
  const double k = 1e-3;
  const C eps{2.56, -0.1};
  const Mie conductor(conducting_sphere(1), k), dielectric(dielectric_sphere(1, eps), k);

  EXPECT_NEAR(conductor.q_scattering() / (10.0 / 3 * std::pow(k, 4)), 1, 1e-4);
  const C clausius = (eps - 1.0) / (eps + 2.0);
  EXPECT_NEAR(dielectric.q_scattering() / (8.0 / 3 * std::pow(k, 4) * std::norm(clausius)), 1, 1e-4);
  EXPECT_NEAR(dielectric.q_absorption() / (-4 * k * clausius.imag()), 1, 1e-4);
}

TEST(Mie, LimitsOfOneKindAreAnother) {
  for (const double k : {0.3, 2.0, 9.42}) {
    const Mie conductor(conducting_sphere(1), k), plain(dielectric_sphere(1, {3, -0.2}, {1.5, -0.1}), k);
    const Mie zero(impedance_sphere(1, 0.0), k), thin(coated_conducting_sphere(1 - 1e-9, 1, 4), k);
    const Mie air(coated_conducting_sphere(1, 1.2, 1), k),
        no_core(coated_conducting_sphere(1e-3, 1, {3, -0.2}, {1.5, -0.1}), k);
    const Mie matched(impedance_sphere(1, 376.730313), k), skin(dielectric_sphere(1, {1, -1e5}), k);
    const Mie leontovich(impedance_sphere(1, 376.730313 / std::sqrt(C(1, -1e5))), k);
    for (const double theta : {0.0, 1.0, 2.2, pi}) {
      const auto expect = conductor.far_field(theta, 0.4);
      for (const Mie* other : {&zero, &thin, &air}) {
        EXPECT_LT(std::abs(other->far_field(theta, 0.4).theta - expect.theta), 1e-7);
        EXPECT_LT(std::abs(other->far_field(theta, 0.4).phi - expect.phi), 1e-7);
      }
      EXPECT_LT(std::abs(no_core.far_field(theta, 0.4).theta - plain.far_field(theta, 0.4).theta), 1e-7);
      // A good conductor has the impedance sqrt(mu/epsilon); curvature adds a share of skin depth over
      // radius.
      EXPECT_LT(std::abs(skin.far_field(theta, 0.4).theta - leontovich.far_field(theta, 0.4).theta), 1e-4);
    }
    EXPECT_LT(dbsm(matched.rcs(pi, 0).total()), -150) << "Zs = eta: no backscattering (Weston 1963)";
    EXPECT_GT(matched.q_absorption(), 0);
  }
}

TEST(Mie,
     ForwardAmplitudeGivesExtinction) {  // optical theorem: 4 pi/k Im of the forward amplitude, exp(+jwt)
  for (const auto& sphere :
       {dielectric_sphere(0.7, {4, -0.3}), coated_conducting_sphere(0.5, 0.7, {2.56, -0.1}),
        impedance_sphere(0.7, {100, 50})}) {
    const double k = 5;
    const Mie mie(sphere, k);
    const double extinction = -4 * pi / k * mie.far_field(0, 0).theta.imag();
    EXPECT_NEAR(extinction / (pi * 0.49), mie.q_extinction(), 1e-12);
    EXPECT_GT(mie.q_absorption(), 0);
  }
}

/// The near field's own boundary conditions, of which its coefficients inside used those of E only, and its
/// limit far away.
TEST(Mie, NearFieldsMeetTheirConditions) {
  using Vector = std::array<C, 3>;
  const auto add_wave = [](Mie::Field f, double k, double z) {
    const C wave = std::polar(1.0, -k * z);
    f.e[0] += wave, f.h[1] += wave / 376.730313;
    return f;
  };
  const double k = 1.7, u[3] = {0.48, 0.6, 0.64},
               theta[3] = {0.64 * 0.48 / std::sqrt(0.5904), 0.64 * 0.6 / std::sqrt(0.5904),
                           -std::sqrt(0.5904)};
  const auto tangent = [&](const Vector& v) {
    return Vector{u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]};
  };
  const auto at = [&](const Mie& mie, double r) { return mie.near_field(r * u[0], r * u[1], r * u[2]); };
  const Mie metal(conducting_sphere(1), k), glass(dielectric_sphere(1, {2.56, -0.1}, {1.5, -0.2}), k);
  const C zs{50, -120};
  const Mie film(sheet_sphere(1, zs), k);

  const auto outside = add_wave(at(glass, 1 + 1e-12), k, u[2]), inside = at(glass, 1 - 1e-12);
  const auto on_metal = add_wave(at(metal, 1 + 1e-12), k, u[2]);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(std::abs(tangent(on_metal.e)[i]), 1e-7);
    EXPECT_LT(std::abs(tangent(outside.e)[i] - tangent(inside.e)[i]), 1e-7);
    EXPECT_LT(std::abs(tangent(outside.h)[i] - tangent(inside.h)[i]), 1e-9);
  }
  const auto above = add_wave(at(film, 1 + 1e-12), k, u[2]), below = at(film, 1 - 1e-12);
  const auto current = tangent({above.h[0] - below.h[0], above.h[1] - below.h[1], above.h[2] - below.h[2]});
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(std::abs(tangent(above.e)[i] - tangent(below.e)[i]), 1e-7);
    EXPECT_LT(std::abs(tangent(above.e)[i] - zs * tangent(current)[i]), 1e-7);
  }
  const double far = 1e3;
  C along{};
  for (std::size_t i = 0; i < 3; ++i) along += at(glass, far).e[i] * theta[i];
  const C expect = glass.far_field(std::acos(u[2]), std::atan2(u[1], u[0])).theta;
  EXPECT_LT(std::abs(along * far * std::polar(1.0, k * far) - expect), 2e-3 * std::abs(expect));
}

}  // namespace
}  // namespace curlew::test
