// SPDX-License-Identifier: BSD-3-Clause
#include "fields/radiation.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "base/threads.hpp"
#include "elementary_dipoles.hpp"

namespace curlew::fields {
namespace {

const Exterior medium{2 * pi, 300.0};  // a wavelength of 1 m; not the impedance of vacuum, so that it matters

/// An electric and a magnetic dipole away from the centre, so that no symmetry hides a sign.
PointField sources_field(Vec3<double> at) {
  const PointField a = electric_dipole({1.0, 0.5}, 2, {0.03, -0.02, 0.05}, at, medium);
  const PointField b = magnetic_dipole({-200.0, 300.0}, 0, {-0.04, 0.01, -0.03}, at, medium);
  return {a.e + b.e, a.h + b.h};
}

const std::vector<Vec3<double>> outside{{0.4, 0.05, -0.1}, {-0.1, 0.45, 0.2}, {0.2, -0.1, -0.42}, {3, 1, 2}};

double relative_error(const NearFields& fields, bool curl) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < outside.size(); ++i) {
    const PointField exact = sources_field(outside[i]);
    // curl E = -j k eta H
    const Vec3<Complex> want = curl ? Complex(0, -medium.k * medium.impedance) * exact.h : exact.e;
    const Vec3<Complex> got = curl ? fields.curl[i] : fields.e[i];
    for (int x = 0; x < 3; ++x) error += std::norm(got[x] - want[x]), size += std::norm(want[x]);
  }
  return std::sqrt(error / size);
}

TEST(Radiation, EquivalentCurrentsReproduceTheirSourcesOutside) {
  double last = 1;
  for (const int degree : {2, 4, 8, 12}) {
    const SurfacePoints points = box_surface(0.2, 4, degree);
    const NearFields fields = radiate(points, currents_of(points, sources_field), outside, medium);
    const double e = relative_error(fields, false), curl = relative_error(fields, true);
    EXPECT_LT(std::max(e, curl), 0.2 * last) << "degree " << degree;
    last = std::max(e, curl);
  }
  EXPECT_LT(last, 1e-7);
}

TEST(Radiation, InsideTheSurfaceTheSameCurrentsGiveNothing) {
  const SurfacePoints points = box_surface(0.2, 4, 12);
  const std::vector<Vec3<double>> inside{{0.02, 0.03, 0.01}, {-0.05, 0.0, 0.04}};
  const NearFields fields = radiate(points, currents_of(points, sources_field), inside, medium);
  for (std::size_t i = 0; i < inside.size(); ++i)
    for (int x = 0; x < 3; ++x)
      EXPECT_LT(std::abs(fields.e[i][x]), 1e-4 * std::abs(sources_field({0.2, 0, 0}).e.z));
}

/// 199 points: no multiple of the eight lanes; three right-hand sides.
struct RandomCurrents {
  SurfacePoints points;
  SurfaceCurrents three;
  std::vector<Vec3<double>> observers;
};
RandomCurrents random_currents() {
  RandomCurrents made;
  auto& [points, three, observers] = made;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int i = 0; i < 199; ++i) {
    points.position.push_back({u(random), u(random), u(random)});
    points.normal.push_back({0, 0, 1});
    points.weight.push_back(1 + 0.1 * u(random));
  }
  three = SurfaceCurrents(3, points.size());
  for (auto* field : {&three.electric, &three.magnetic})
    for (auto& v : *field)
      for (int x = 0; x < 3; ++x) v[x] = {u(random), u(random)};
  observers.resize(53);
  for (auto& p : observers) p = {2.5 + u(random), u(random), u(random)};
  observers[5] = points.position[17];  // coincident: that pair gives nothing
  return made;
}

/// The currents of E* are -J* and M*, since curl E* = +jk eta H*: their fields are made of the same products.
TEST(Radiation, ConjugateFieldsHaveCurrentsOfTheirOwn) {
  const auto [points, three, observers] = random_currents();
  const RadiationOperator radiation(points, observers, medium);

  const NearFields together = radiation.apply(three, true);
  const NearFields separate = radiation.apply(with_conjugates(three));

  ASSERT_EQ(together.count, 6);
  EXPECT_EQ(separate.count, 6);
  EXPECT_EQ(with_conjugates(three).electric[3 * 199 + 7].y, -std::conj(three.electric[7].y));
  EXPECT_EQ(with_conjugates(three).magnetic[3 * 199 + 7].y, std::conj(three.magnetic[7].y));
  for (std::size_t i = 0; i < separate.e.size(); ++i)
    for (int x = 0; x < 3; ++x) {
      EXPECT_NEAR(std::abs(together.e[i][x] - separate.e[i][x]), 0, 1e-8);
      EXPECT_NEAR(std::abs(together.curl[i][x] - separate.curl[i][x]), 0, 1e-8);
    }
}

TEST(Radiation, ManyRightHandSidesAndThreadsGiveTheSameBits) {
  const auto [points, three, observers] = random_currents();

  const int threads = num_threads();
  const NearFields all = radiate(points, three, observers, medium);
  set_num_threads(1);
  const RadiationOperator one_thread(points, observers, medium);
  for (int c = 0; c < 3; ++c) {
    SurfaceCurrents one(1, points.size());
    std::copy_n(&three.electric[c * 199], 199, one.electric.begin());
    std::copy_n(&three.magnetic[c * 199], 199, one.magnetic.begin());
    const NearFields alone = one_thread.apply(one);
    for (std::size_t i = 0; i < observers.size(); ++i) {
      EXPECT_EQ(all.e[c * observers.size() + i], alone.e[i]);
      EXPECT_EQ(all.curl[c * observers.size() + i], alone.curl[i]);
      EXPECT_TRUE(std::isfinite(alone.e[i].x.real()));
    }
  }
  set_num_threads(threads);
}

TEST(Radiation, RefusesWhatMakesNoSense) {
  SurfacePoints points;
  points.position = {{0, 0, 0}}, points.normal = {{0, 0, 1}}, points.weight = {1};
  const std::vector<Vec3<double>> observers{{1, 0, 0}};
  EXPECT_THROW(RadiationOperator(points, observers, Exterior{0.0}), InputError);
  EXPECT_THROW(radiate(points, SurfaceCurrents(1, 2), observers, Exterior{1.0}), InputError);
}

}  // namespace
}  // namespace curlew::fields
