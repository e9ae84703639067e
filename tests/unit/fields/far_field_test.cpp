// SPDX-License-Identifier: BSD-3-Clause
#include "fields/far_field.hpp"

#include <gtest/gtest.h>

#include "elementary_dipoles.hpp"
#include "fields/radiation.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fields {
namespace {

const Exterior medium{2 * pi, 300.0};

PointField crossed_dipoles(Vec3<double> at) {
  const PointField a = electric_dipole({1.0, 0.5}, 2, {0.03, -0.02, 0.05}, at, medium);
  const PointField b = magnetic_dipole({-200.0, 300.0}, 0, {-0.04, 0.01, -0.03}, at, medium);
  return {a.e + b.e, a.h + b.h};
}

const std::vector<Direction> directions{{0.0, 0.0}, {0.4, 1.1}, {pi / 2, -2.0}, {2.5, 3.0}, {pi, 0.5}};

TEST(FarField, IsTheLimitOfTheNearFieldInPhaseAndSign) {
  const SurfacePoints points = box_surface(0.2, 3, 12);
  const SurfaceCurrents currents = currents_of(points, crossed_dipoles);
  const FarField far = far_field(points, currents, directions, medium);
  double scale = 0;
  for (std::size_t d = 0; d < directions.size(); ++d)
    scale = std::max({scale, std::abs(far.e_theta[d]), std::abs(far.e_phi[d])});
  for (std::size_t d = 0; d < directions.size(); ++d) {
    const double r = 1e6;  // whole wavelengths: r exp(jkr) = r
    const PointField exact = crossed_dipoles(r * directions[d].radial());
    EXPECT_LT(std::abs(far.e_theta[d] - r * dot(exact.e, directions[d].theta_unit())), 2e-6 * scale);
    EXPECT_LT(std::abs(far.e_phi[d] - r * dot(exact.e, directions[d].phi_unit())), 2e-6 * scale);
  }
}

TEST(FarField, PowerThroughTheSurfaceIsThatOfTheFarField) {
  const SurfacePoints points = box_surface(0.2, 4, 12);
  const SurfaceCurrents currents = currents_of(points, crossed_dipoles);
  const double power = radiated_power(points, currents)[0];
  const auto rule = quadrature::gauss_legendre(12);
  std::vector<Direction> sphere;
  std::vector<double> weights;
  for (int i = 0; i < rule.size(); ++i) {
    for (int m = 0; m < 24; ++m) {
      sphere.push_back({std::acos(2 * rule.points[i] - 1), 2 * pi * m / 24});
      weights.push_back(2 * rule.weights[i] * 2 * pi / 24);
    }
  }
  const FarField far = far_field(points, currents, sphere, medium);
  double sum = 0;
  for (std::size_t d = 0; d < sphere.size(); ++d)
    sum += weights[d] * radiation_intensity(far.e_theta[d], far.e_phi[d], medium.impedance);
  EXPECT_NEAR(sum / power, 1, 1e-6);
}

TEST(FarField, ElementaryAndHalfWaveDipole) {
  // D = 1.5 of a short dipole; 4 / Cin(2 pi) = 1.6409 of a thin half-wave dipole (Balanis, equation 4-91, who
  // rounds to 1.643), whose current cos(kz) is summed here over short elements.
  double cin = 0;
  const Exterior vacuum = Exterior::vacuum(299792458.0);
  const auto rule = quadrature::gauss_legendre(16);
  for (int i = 0; i < rule.size(); ++i) {
    const double t = 2 * pi * rule.points[i];
    cin += 2 * pi * rule.weights[i] * (1 - std::cos(t)) / t;
  }
  const auto half_wave = [&](Vec3<double> at) {
    PointField sum{};
    for (int i = 0; i < rule.size(); ++i) {
      const double z = 0.5 * rule.points[i] - 0.25;
      const PointField f =
          electric_dipole(0.5 * rule.weights[i] * std::cos(vacuum.k * z), 2, {0, 0, z}, at, vacuum);
      sum.e += f.e, sum.h += f.h;
    }
    return sum;
  };
  const auto directivity_of = [&](auto field) {
    const SurfacePoints points = box_surface(0.45, 6, 10);
    const SurfaceCurrents currents = currents_of(points, field);
    const std::vector<Direction> side{{pi / 2, 0.3}};
    const FarField far = far_field(points, currents, side, vacuum);
    return directivity(far.e_theta[0], far.e_phi[0], radiated_power(points, currents)[0], vacuum.impedance);
  };
  EXPECT_NEAR(directivity_of([&](Vec3<double> at) { return electric_dipole(1, 2, {}, at, vacuum); }), 1.5,
              1e-5);
  EXPECT_NEAR(directivity_of(half_wave), 4 / cin, 1e-5);
}

TEST(FarField, AxialRatioAndCrossSection) {
  EXPECT_NEAR(axial_ratio_db({1, 0}, {0, -1}), 0, 1e-6);
  EXPECT_NEAR(axial_ratio_db({2, 0}, {0, 1}), 20 * std::log10(2.0), 1e-9);
  EXPECT_EQ(axial_ratio_db({1, 1}, {2, 2}), linear_axial_ratio_db);
  EXPECT_EQ(axial_ratio_db({1, 0}, {0, 1e-7}), linear_axial_ratio_db) << "140 dB are rounding";
  EXPECT_NEAR(axial_ratio_db({1, 0}, {0, 1e-3}), 60, 1e-4);
  EXPECT_DOUBLE_EQ(radar_cross_section({3, 4}, 5), 4 * pi);
}

}  // namespace
}  // namespace curlew::fields
