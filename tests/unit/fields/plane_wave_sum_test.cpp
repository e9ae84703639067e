// SPDX-License-Identifier: BSD-3-Clause
#include "fields/plane_wave_sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "base/constants.hpp"
#include "fields/sphere_rule.hpp"
#include "needs_gpu.hpp"

namespace curlew::fields {
namespace {

struct Sources {
  std::vector<Vec3<double>> points;
  std::vector<Complex> moments;
};
Sources random_sources(std::size_t n, std::size_t columns) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> side(-1, 1);
  Sources s;
  for (std::size_t i = 0; i < n; ++i) s.points.push_back({3 + side(random), side(random), 2 * side(random)});
  for (std::size_t i = 0; i < n * columns; ++i) s.moments.emplace_back(side(random), side(random));
  return s;
}

std::vector<Vec3<double>> spiral(std::size_t n) {
  std::vector<Vec3<double>> out;
  for (std::size_t i = 0; i < n; ++i) {
    const double z = 1 - (2 * double(i) + 1) / double(n), phi = 2.4 * double(i);
    out.push_back({std::sqrt(1 - z * z) * std::cos(phi), std::sqrt(1 - z * z) * std::sin(phi), z});
  }
  return out;
}

Complex plain_sum(const Sources& s, std::size_t column, Vec3<double> u, double k) {
  Complex sum = 0;
  for (std::size_t p = 0; p < s.points.size(); ++p)
    sum += std::polar(1.0, k * dot(u, s.points[p])) * s.moments[column * s.points.size() + p];
  return sum;
}

/// Sizes beside multiples of eight lanes, of a tile of points and of one of directions.
TEST(PlaneWaveSum, IsTheSumOfExponentials) {
  const double k = 40;
  for (const std::size_t n : {std::size_t(1), std::size_t(255), std::size_t(1031)})
    for (const std::size_t m : {std::size_t(1), std::size_t(9), std::size_t(131)}) {
      const Sources s = random_sources(n, 4);
      const auto units = spiral(m);
      const auto sums = PlaneWaveSum(s.points, k).all(s.moments, units);
      ASSERT_EQ(sums.size(), 4 * m);
      for (std::size_t v = 0; v < 4; ++v)
        for (std::size_t d = 0; d < m; ++d)
          ASSERT_LT(std::abs(sums[v * m + d] - plain_sum(s, v, units[d], k)), 1e-12 * double(n))
              << n << " points, " << m << " directions";
    }
}

TEST(PlaneWaveSum, OfOneDirectionEachIsTheDiagonalOfAll) {
  const double k = 25;
  const std::size_t n = 700, m = 11, per = 3;
  const Sources s = random_sources(n, per * m);
  const auto units = spiral(m);
  const auto each = PlaneWaveSum(s.points, k).each(s.moments, units);
  ASSERT_EQ(each.size(), per * m);
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t v = 0; v < per; ++v)
      EXPECT_LT(std::abs(each[v * m + i] - plain_sum(s, per * i + v, units[i], k)), 1e-11);
}

TEST(PlaneWaveSum, OfTheDeviceIsThatOfTheHost) {
  CURLEW_NEEDS_GPU();
  for (const std::size_t columns : {1, 3, 6, 7, 19}) {
    const Sources s = random_sources(1031, columns);
    const auto units = spiral(259);
    const auto host = PlaneWaveSum(s.points, 40).all(s.moments, units),
               device = PlaneWaveSum(s.points, 40, Device::cuda).all(s.moments, units);
    ASSERT_EQ(device.size(), host.size());
    for (std::size_t i = 0; i < host.size(); ++i) ASSERT_LT(std::abs(device[i] - host[i]), 1e-10) << i;
  }
}

/// |exp(jk u.a) + exp(-jk u.a)|^2 has the mean 2 + 2 sin(2ka)/(2ka).
TEST(SphereRule, IntegratesThePatternOfTwoPoints) {
  for (const double ka : {0.01, 1.0, 12.0, 55.0}) {
    const SphereRule rule = sphere_rule(ka);
    ASSERT_EQ(rule.unit.size(), sphere_rule_size(ka));
    double sum = 0, solid = 0;
    for (std::size_t i = 0; i < rule.unit.size(); ++i) {
      const double amplitude = 2 * std::cos(ka * dot(rule.unit[i], normalized(Vec3<double>{0.3, -0.5, 0.8})));
      sum += rule.weight[i] * amplitude * amplitude, solid += rule.weight[i];
    }
    EXPECT_NEAR(solid, 4 * pi, 1e-10);
    EXPECT_NEAR(sum / (4 * pi), 2 + 2 * std::sin(2 * ka) / (2 * ka), 2e-5) << ka;
  }
}

}  // namespace
}  // namespace curlew::fields
