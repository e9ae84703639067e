// SPDX-License-Identifier: BSD-3-Clause
#include "report/between.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace curlew::report {
namespace {

constexpr Complex j(0, 1);

/// Two coupled resonators behind a line of 0.5 ns, f in GHz: poles beside the axis, and a factor that is no
/// rational function.
Complex resonant(double f) {
  const Complex p(0, 9.9), q(0, 10.15);
  const Complex s = j * f;
  return (1.0 - 0.06 / (s - p + 0.05) - 0.08 / (s - q + 0.07)) *
         std::exp(-2 * std::numbers::pi * 0.5 * j * f);
}

Between sampled(std::size_t count, double noise) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal(0, noise / std::numbers::sqrt2);
  std::vector<double> f;
  std::vector<Complex> s;
  for (std::size_t i = 0; i < count; ++i) {
    f.push_back(9.5 + double(i) / double(count - 1));
    s.push_back(resonant(f.back()) + Complex(normal(random), normal(random)));
  }
  return between(f, s);
}

TEST(Between, AResonantDeviceIsKnownBetweenItsPoints) {
  const auto found = sampled(25, 0);
  ASSERT_EQ(found.points.size(), 25u);
  EXPECT_GE(found.f.size(), 400u);
  for (std::size_t i = 0; i < found.f.size(); ++i)
    EXPECT_LT(std::abs(found.s[i] - resonant(found.f[i])), 1e-4) << found.f[i];
  EXPECT_EQ(found.f[found.points[3]], 9.5 + 3.0 / 24);
}

TEST(Between, NoiseAndTooFewPointsStayAsTheyAre) {
  for (const double noise : {1e-2, 1e-3, 3e-4}) EXPECT_TRUE(sampled(41, noise).points.empty()) << noise;
  for (const std::size_t count : {2, 5, 7, 9}) {
    const auto found = sampled(count, 0);
    EXPECT_TRUE(found.points.empty()) << count;
    EXPECT_EQ(found.f.size(), count);
  }
}

TEST(Between, AConstantAndAGapAreNoTrouble) {
  const std::vector<double> f{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(between(f, std::vector<Complex>(8, 0.5)).points.size(), 8u);
  std::vector<Complex> gap(8, 0.5);
  gap[3] = NAN;
  EXPECT_TRUE(between(f, gap).points.empty());
}

/// With as many poles as the fit may have it is exact, also between the given values.
TEST(Between, ARationalFunctionIsMetExactly) {
  std::vector<double> f;
  std::vector<Complex> s;
  const auto exact = [](double x) { return 1.0 / (x - 2.0 + 0.1 * j) + 2.0 / (x - 3.0 - 0.2 * j) + 0.3; };
  for (int i = 0; i < 12; ++i) f.push_back(1 + 0.25 * i), s.push_back(exact(f.back()));
  const auto fit = fit_rational(f, s, 1e-12);
  EXPECT_LE(fit.f.size(), 4u);
  for (double x = 0.5; x < 5; x += 0.0371) EXPECT_LT(std::abs(fit(x) - exact(x)), 1e-9) << x;
}

}  // namespace
}  // namespace curlew::report
