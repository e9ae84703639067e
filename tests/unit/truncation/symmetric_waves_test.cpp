// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/symmetric_waves.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace curlew::truncation {
namespace {

double size(const Vec3<Complex>& a) {
  return std::sqrt(std::norm(a.x) + std::norm(a.y) + std::norm(a.z));
}

struct Field {
  Vec3<Complex> e, curl;
};
Field field(const std::vector<green::PlaneWave>& waves, Vec3<double> r) {
  Field sum{};
  for (const auto& w : waves) sum.e += w.electric(r), sum.curl += w.curl(r);
  return sum;
}

TEST(SymmetricWaves, PartsMeetTheConditionsOfThePlanesAndAddUp) {
  const auto wave = green::arriving_wave(0.7, 2.1, 0.4, 5.0);
  const std::vector<Vec3<double>> points{{0.3, 0.8, -0.2}, {-0.4, 0.1, 0.9}, {1.7, -0.6, 0.35}};
  std::vector<Vec3<Complex>> sums(points.size());
  for (const bool first : {false, true})
    for (const bool second : {false, true}) {
      const std::vector<fields::SymmetryPlane> planes{{0, 0.3, first}, {2, -0.2, second}};
      const auto part = symmetric_part(wave, planes);
      EXPECT_EQ(part.size(), 4U);
      for (std::size_t i = 0; i < points.size(); ++i) sums[i] += field(part, points[i]).e;
      for (const auto& plane : planes)
        for (Vec3<double> r : points) {
          r[plane.axis] = plane.position;
          auto tangential = plane.electric ? field(part, r).e : field(part, r).curl;
          tangential[plane.axis] = 0;
          EXPECT_LT(size(tangential), 1e-13);
        }
    }
  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT(size(sums[i] - wave.electric(points[i])), 1e-13);
}

/// A wave along a plane with E in it or across it has one part only.
TEST(SymmetricWaves, PartsThatAreNotThereAreLeftOut) {
  const green::PlaneWave wave{{0, 0, 1}, {1.0, 0.0, 0.0}, 3.0};
  EXPECT_EQ(symmetric_part(wave, {{0, 0.0, true}}).size(), 1U);
  EXPECT_TRUE(symmetric_part(wave, {{0, 0.0, false}}).empty());
  EXPECT_EQ(symmetric_part(wave, {{1, 0.0, false}}).size(), 1U);
  EXPECT_TRUE(symmetric_part(wave, {{1, 0.0, true}}).empty());
}

}  // namespace
}  // namespace curlew::truncation
