// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/sweep_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"

namespace curlew::fem {
namespace {

/// S of a resonator between two equal lines, f0 and half width [Hz]: S21 = 1 / (1 + jx), S11 = S21 - 1.
Eigen::MatrixXcd resonator(double f, double f0, double half_width) {
  const Complex s21 = 1.0 / Complex(1, (f - f0) / half_width), s11 = s21 - 1.0;
  Eigen::MatrixXcd s(2, 2);
  s << s11, s21, s21, s11;
  return s;
}

std::vector<Eigen::MatrixXcd> sweep(const std::vector<double>& frequencies, double f0) {
  std::vector<Eigen::MatrixXcd> s;
  for (const double f : frequencies) s.push_back(resonator(f, f0, 0.1e9));
  return s;
}

/// In the steepest interval, the end in the stop band gives no information.
TEST(SweepError, TheSteepestFrequencyIsTheEndOfTheIntervalNextToTheResonance) {
  const std::vector<double> f{9e9, 9.5e9, 10e9, 10.2e9, 11e9};
  EXPECT_EQ(steepest(steepness(f, sweep(f, 10.1e9)), 1).front(), 2U);
  EXPECT_EQ(steepest(steepness(f, sweep(f, 10.19e9)), 1).front(), 3U);
}

/// A long line turns the phase by more than the sweep resolves; resonances are found nevertheless.
TEST(SweepError, ALineDoesNotHideAResonance) {
  const std::vector<double> f{9e9, 9.5e9, 10e9, 10.5e9, 11e9};
  auto s = sweep(f, 9.98e9);
  for (std::size_t i = 0; i < f.size(); ++i) s[i] *= std::polar(1.0, 3.0 * double(i * i));
  EXPECT_EQ(steepest(steepness(f, s), 1).front(), 2U);
}

/// An error that is a shift of the resonance, known where S is steepest, is covered everywhere.
TEST(SweepError, BarsOfAShiftedResonanceCoverAllFrequencies) {
  std::vector<double> f;
  for (int i = 0; i <= 40; ++i) f.push_back(9e9 + 0.05e9 * i);
  const auto s = sweep(f, 10.01e9), exact = sweep(f, 10.02e9);
  const auto steep = steepness(f, s);
  const std::size_t at = steepest(steep, 1).front();
  const Eigen::MatrixXd known = (s[at] - exact[at]).cwiseAbs();

  const auto errors = spread_errors(f, steep, {{f[at], known, known, {}}});

  ASSERT_EQ(errors.size(), f.size());
  for (std::size_t i = 0; i < f.size(); ++i) {
    EXPECT_EQ(errors[i].is_spread, i != at);
    EXPECT_LE((s[i] - exact[i]).cwiseAbs()(1, 0), 1.5 * errors[i].s(1, 0)) << f[i];
  }
}

TEST(SweepError, BetweenEstimatesTheWorseOneHolds) {
  const auto bar = [](double size) { return Eigen::MatrixXd::Constant(1, 1, size).eval(); };
  const std::vector<double> f{1, 2, 3};
  const std::vector<Steepness> flat(3, Steepness{1, 1});

  const auto errors = spread_errors(f, flat, {{1, bar(0.01), bar(0.01), {}}, {3, bar(0.03), bar(0.02), {}}});

  EXPECT_EQ(errors[0].s(0, 0), 0.01);
  EXPECT_EQ(errors[1].s(0, 0), 0.03);
  EXPECT_EQ(errors[1].elements(0, 0), 0.02);
  EXPECT_EQ(errors[2].s(0, 0), 0.03);
}

TEST(SweepError, BarsOfUnresolvedMeshesGrowAndEndAtWhatPassiveNetworksCanErrBy) {
  const auto widened = [](double size) {
    std::vector<ScatteringError> errors{
        {1, Eigen::MatrixXd::Constant(1, 1, size), Eigen::MatrixXd::Constant(1, 1, size), {}}};
    widen_unresolved(errors, {Eigen::MatrixXcd::Constant(1, 1, 0.5)});
    return errors[0].s(0, 0);
  };
  EXPECT_EQ(widened(0.05), 0.05);
  EXPECT_NEAR(widened(0.2), 0.4, 1e-12);
  EXPECT_EQ(widened(0.9), 1.5);
}

/// A shift by three half widths: to first order nothing changes where the resonance will be.
TEST(SweepError, BarsOfFirstOrderCoverAResonanceThatMovesByMoreThanItsWidth) {
  std::vector<double> f;
  for (int i = 0; i <= 60; ++i) f.push_back(8.5e9 + 0.05e9 * i);
  const double shift = 0.3e9, step = 1e5;
  const auto s = sweep(f, 10e9), exact = sweep(f, 10e9 + shift), beside = sweep(f, 10e9 + step);
  std::vector<ScatteringError> errors;
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Eigen::MatrixXd bar = (beside[i] - s[i]).cwiseAbs() * shift / step;
    errors.push_back({f[i], bar, bar, {}});
  }
  const auto covered = [&] {
    std::size_t count = 0;
    for (std::size_t i = 0; i < f.size(); ++i)
      count += (s[i] - exact[i]).cwiseAbs()(1, 0) <= 1.5 * errors[i].s(1, 0);
    return count;
  };
  EXPECT_LT(covered(), f.size() - 5);
  widen_by_shift(errors, f, s);
  EXPECT_EQ(covered(), f.size());
  EXPECT_LT(errors.front().s(1, 0), 5 * std::abs((s.front() - exact.front())(1, 0)));
}

}  // namespace
}  // namespace curlew::fem
