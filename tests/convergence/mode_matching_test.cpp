// SPDX-License-Identifier: BSD-3-Clause
// Tests of the reference itself.
#include "mode_matching.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"

namespace curlew::reference {
namespace {

constexpr double a = 22.86e-3;  // WR-90

double balance(const TwoPort& port) {
  return std::norm(port.reflection()) + std::norm(port.transmission());
}

TEST(ModeMatching, ConservesPower) {
  for (const double gap : {4e-3, 10e-3, 20e-3})
    for (const double frequency : {8e9, 10e9, 12.4e9})
      EXPECT_NEAR(balance(Guide(a, frequency, 20).iris(gap, 2e-3)), 1, 1e-12);
}

TEST(ModeMatching, ConvergesWithTheModes) {
  const auto size = [](int modes) { return std::abs(Guide(a, 10e9, modes).iris(10e-3, 2e-3).reflection()); };

  const double coarse = std::abs(size(20) - size(320)), fine = std::abs(size(80) - size(320));

  EXPECT_LT(fine, 2e-4 * size(320));
  EXPECT_LT(fine, coarse / 4);
}

/// X/Z0 = (a/λg) tan²(πd/2a) (1 + (πd/λ)²/6) for a thin window of width d << a.
/// Source: Marcuvitz (1951), Waveguide handbook, section 5.2.
TEST(ModeMatching, AgreesWithMarcuvitzForASmallThinWindow) {
  const double frequency = 9e9, lambda = speed_of_light / frequency,
               lambda_g = lambda / std::sqrt(1 - std::pow(lambda / (2 * a), 2));
  const double d = 0.15 * a;
  const double X =
      a / lambda_g * std::pow(std::tan(pi * d / (2 * a)), 2) * (1 + std::pow(pi * d / lambda, 2) / 6);
  const Complex shunt = 1.0 / Complex(0, X);  // admittance

  const auto port = Guide(a, frequency, 1500).iris(d, 1e-7);

  // The formula is good to about a percent here.
  EXPECT_LT(std::abs(port.transmission() - 2.0 / (2.0 + shunt)) / std::abs(port.transmission()), 0.015);
  EXPECT_LT(std::abs(port.reflection() + shunt / (2.0 + shunt)), 0.002);
}

TEST(ModeMatching, AGapAsWideAsTheGuideIsASection) {
  const Guide guide(a, 10e9, 10);
  const auto open = guide.iris(a * (1 - 1e-12), 3e-3), section = guide.section(3e-3);

  EXPECT_LT(std::abs(open.reflection()), 1e-10);
  EXPECT_LT(std::abs(open.transmission() - section.transmission()), 1e-10);
}

TEST(ModeMatching, SlabAgreesWithChainMatrices) {
  const Guide guide(a, 10e9, 3);
  const Complex eps(4, -0.2);
  const double length = 7e-3;
  const Complex g0 = guide.gamma()(0), g = guide.gamma(eps)(0);
  // Chain matrix of a line with impedance z relative to its surroundings; impedances of TE modes go as
  // 1/gamma.
  const Complex z = g0 / g, A = std::cosh(g * length), B = z * std::sinh(g * length),
                C = std::sinh(g * length) / z;
  const Complex sum = A + B + C + A;

  const auto port = guide.slab(length, eps);

  EXPECT_LT(std::abs(port.reflection() - (B - C) / sum), 1e-14);
  EXPECT_LT(std::abs(port.transmission() - 2.0 / sum), 1e-14);
  EXPECT_LT(balance(port), 1);
}

TEST(ModeMatching, CascadeIsAssociativeAndHalvesMakeAWhole) {
  const Guide guide(a, 11e9, 8);
  const auto iris = guide.iris(9e-3, 2e-3), gap = guide.section(5e-3), slab = guide.slab(4e-3, 2.5);

  const auto left = cascade(cascade(iris, gap), slab), right = cascade(iris, cascade(gap, slab));
  const auto halves = cascade(guide.slab(1.5e-3, 2.5), guide.slab(2.5e-3, 2.5));

  EXPECT_LT((left.s11 - right.s11).norm() + (left.s22 - right.s22).norm(), 1e-12);
  EXPECT_LT((left.s12 - right.s12).norm() + (left.s21 - right.s21).norm(), 1e-12);
  EXPECT_LT(std::abs(halves.reflection() - slab.reflection()), 1e-13);
  EXPECT_LT(std::abs(halves.transmission() - slab.transmission()), 1e-13);
}

/// The demo's filter: designed by scripts/design_iris_filter.py, which shares no code with this.
TEST(ModeMatching, TheDemoFilterPassesItsBand) {
  const double gaps[] = {12.36e-3, 8.86e-3, 8.86e-3, 12.36e-3}, lengths[] = {15.31e-3, 17.02e-3, 15.31e-3};
  for (const auto& [frequency, least, greatest] : {std::tuple{9.5e9, -0.35, -0.25},
                                                   {9.75e9, -99.0, -18.0},
                                                   {10e9, -99.0, -18.0},
                                                   {10.25e9, -99.0, -18.0},
                                                   {10.5e9, -1.2, -1.0}}) {
    const Guide guide(a, frequency, 30);

    TwoPort filter = guide.iris(gaps[0], 2e-3);
    for (int i = 0; i < 3; ++i)
      filter = cascade(cascade(filter, guide.section(lengths[i])), guide.iris(gaps[i + 1], 2e-3));

    const double s11_db = 20 * std::log10(std::abs(filter.reflection()));
    EXPECT_GT(s11_db, least) << frequency;
    EXPECT_LT(s11_db, greatest) << frequency;
    EXPECT_NEAR(balance(filter), 1, 1e-12);
  }
}

}  // namespace
}  // namespace curlew::reference
