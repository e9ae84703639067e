// SPDX-License-Identifier: BSD-3-Clause
#include "ie/results/band_far_fields.hpp"

#include <gtest/gtest.h>

#include <random>

#include "ie/results/far_fields.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

/// A dielectric body away from the origin, with electric and magnetic currents.
Problem body_at(double ka) {
  Problem p = sphere_problem(3, ka, Equation::efie, {.boundary = Boundary::dielectric, .epsilon_r = 4.0});
  for (auto& node : p.mesh.nodes) node = node + Vec3<double>{3, -1, 2};
  return p;
}

std::vector<fields::Direction> some_directions() {
  std::vector<fields::Direction> out;
  for (int i = 0; i < 20; ++i) out.push_back({0.15 * i, 0.4 * i});
  return out;
}

std::vector<Complex> random_columns(std::size_t n, std::size_t count) {
  std::mt19937 engine(7);
  std::normal_distribution<double> normal;
  std::vector<Complex> x(n * count);
  for (auto& value : x) value = {normal(engine), normal(engine)};
  return x;
}

/// Sums at nodes of the band against direct ones at each wavenumber: they share the exponential of a point
/// alone. The interpolation leaves 1e-9.
TEST(BandFarFields, AreThoseOfDirectSums) {
  const auto directions = some_directions();
  const double low = 1, high = 3;
  const System first(body_at(low));
  const auto n = std::size_t(first.num_unknowns());
  const auto basis = random_columns(n, 3);
  std::vector<Complex> x(2 * n);
  for (std::size_t i = 0; i < n; ++i) {
    x[i] = Complex(1, 2) * basis[i] - Complex(0, 0.5) * basis[n + i];
    x[n + i] = 0.01 * basis[2 * n + i];
  }

  const auto band = BandFarFields::of(radiating_points(first), low, high, basis, directions, 1000, 2);

  ASSERT_TRUE(band);
  for (const double k : {low, 1.234, 2.9, high}) {
    const System system(body_at(k));
    const FarFields direct(system);
    const auto expected = direct.pattern(x.data(), 2, directions);
    const auto powers = direct.powers_on_sphere(x.data(), 2);
    const auto found = band->at(system.scene().regions[0].k.real(), x.data(), 2);
    ASSERT_TRUE(found) << k;
    for (std::size_t c = 0; c < 2; ++c) {
      double most = 0, worst = 0;
      for (std::size_t d = c * directions.size(); d < (c + 1) * directions.size(); ++d) {
        most = std::max({most, std::abs(expected.e_theta[d]), std::abs(expected.e_phi[d])});
        worst = std::max({worst, std::abs(found->far.e_theta[d] - expected.e_theta[d]),
                          std::abs(found->far.e_phi[d] - expected.e_phi[d])});
      }
      EXPECT_LT(worst, 1e-7 * most) << k << " " << c;
      // Rules on the sphere for different k: 1e-5 of the power is beyond either.
      EXPECT_NEAR(found->powers[c] / powers[c], 1, 1e-5) << k << " " << c;
    }
  }
}

TEST(BandFarFields, RefusesOtherSolutionsAndWavenumbers) {
  const System system(body_at(1));
  const auto n = std::size_t(system.num_unknowns());
  const auto columns = random_columns(n, 3);
  const std::vector<Complex> basis(columns.begin(), columns.begin() + Offset(2 * n));
  const auto band = BandFarFields::of(radiating_points(system), 1, 1.1, basis, some_directions(), 1000, 1);

  ASSERT_TRUE(band);
  EXPECT_TRUE(band->at(1, &columns[n], 1));
  EXPECT_FALSE(band->at(1, &columns[2 * n], 1));
  EXPECT_FALSE(band->at(1.2, &columns[n], 1));
}

/// Where as many sums at nodes would be needed as there are frequencies, and where they would not fit.
TEST(BandFarFields, AreNotMadeWhereTheyDoNotPay) {
  const System system(body_at(1));
  const auto basis = random_columns(std::size_t(system.num_unknowns()), 3);
  const auto points = radiating_points(system);
  EXPECT_FALSE(BandFarFields::of(points, 1, 3, basis, some_directions(), 20, 1));
  EXPECT_FALSE(BandFarFields::of(points, 1, 3, basis, std::vector<fields::Direction>(1'000'000), 100000, 1));
  EXPECT_FALSE(BandFarFields::of(points, 1, 3, {}, some_directions(), 1000, 1));
}

}  // namespace
}  // namespace curlew::ie
