// SPDX-License-Identifier: BSD-3-Clause
#include "report/scattering.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "charts_of_page.hpp"

namespace curlew::report {
namespace {

/// S of a line at n frequencies from 1 to 2 GHz.
Scattering line(int n, double delay) {
  Scattering made{{}, {{1, 2, {}}, {2, 1, {}}}};
  for (int i = 0; i < n; ++i) {
    const double f = 1e9 * (1 + double(i) / (n - 1));
    made.frequencies.push_back(f);
    for (auto& entry : made.entries) entry.s.push_back(std::polar(1.0, -2 * std::numbers::pi * f * delay));
  }
  return made;
}

TEST(Scattering, EqualEntriesShareACurveTheGreatestFirst) {
  const Scattering s{{1e9}, {{1, 1, {0.6}}, {1, 2, {0.8}}, {2, 1, {0.8}}, {2, 2, {0.6}}, {3, 1, {1e-5}}}};
  const auto groups = group_entries(s);
  ASSERT_EQ(groups.size(), 2u);  // negligible entries are left out
  EXPECT_EQ(groups[0].name, "S12 = S21");
  EXPECT_EQ(groups[1].name, "S11 = S22");
}

TEST(Scattering, AReflectionAndATransmissionOfOneSizeHaveACurveEach) {
  const Scattering s{{1e9}, {{1, 1, {0.7}}, {1, 2, {0.7}}, {2, 1, {0.7}}, {2, 2, {0.7}}}};
  const auto groups = group_entries(s);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].name, "S11 = S22");
  EXPECT_EQ(groups[1].name, "S12 = S21");
}

TEST(Scattering, TheDelayOfALineIsItsLengthOverTheSpeed) {
  const auto chart = charts_by_title(draw_scattering(line(101, 3e-9)))["Group delay"];
  for (const double delay : chart["curves"][0]["y"]) EXPECT_NEAR(delay, 3, 1e-4);
  EXPECT_EQ(chart["x"], "frequency (GHz)");
  EXPECT_EQ(chart["x_size"], 1e9);
}

TEST(Scattering, ADelayBesideANullIsBeyondTheAxis) {
  Scattering s = line(101, 3e-9);
  s.entries.resize(1);
  for (std::size_t i = 0; i < s.entries[0].s.size(); ++i)  // a null just off the axis of frequencies
    s.entries[0].s[i] *= Complex(1e-3, (s.frequencies[i] - 1.5e9) / 1e9);
  const auto chart = charts_by_title(draw_scattering(s))["Group delay"];
  double least = 0;
  for (const double delay : chart["curves"][0]["y"]) least = std::min(least, delay);
  EXPECT_LT(least, -10);
  EXPECT_EQ(chart["range"][0], 0);
  EXPECT_NEAR(chart["range"][1], 3, 0.1);
}

/// 162 degrees from point to point: the next turn is not known, and stop bands alone say nothing of a filter.
TEST(Scattering, DelaysThatAreNotKnownWhereSIsGreatAreNotDrawn) {
  Scattering s = line(5, 1.8e-9);
  for (auto& entry : s.entries)
    for (int i = 3; i < 5; ++i) entry.s[i] = 1e-3 * entry.s[2];
  EXPECT_FALSE(charts_by_title(draw_scattering(s)).contains("Group delay"));
}

TEST(Scattering, BarsAreThoseOfTheMagnitude) {
  const Scattering s{{1e9, 2e9}, {{1, 1, {0.8, 0.8}, {0.1, NAN}}}};
  const auto curve = charts_by_title(draw_scattering(s))["S-parameters"]["curves"][0];
  EXPECT_NEAR(curve["low"][0], 20 * std::log10(0.7), 1e-4);
  EXPECT_NEAR(curve["high"][0], 20 * std::log10(0.9), 1e-4);
  EXPECT_TRUE(curve["low"][1].is_null());
}

TEST(Scattering, BetweenPointsBarsLieBetweenTheirs) {
  Scattering s = line(21, 0.5e-9);
  s.entries.resize(1);
  for (int i = 0; i < 21; ++i) s.entries[0].error.push_back(0.01 * i);
  const auto curve = charts_by_title(draw_scattering(s))["S-parameters"]["curves"][0];
  EXPECT_EQ(curve["points"].size(), 21u);
  EXPECT_EQ(curve["points"][5], 100);
  EXPECT_NEAR(curve["high"][105], 20 * std::log10(1.0525), 1e-3);
  EXPECT_NEAR(curve["low"][105], 20 * std::log10(0.9475), 1e-3);
}

TEST(Scattering, OneFrequencyIsAPoint) {
  const auto found = charts_by_title(draw_scattering({{1e9}, {{1, 1, {Complex(0, 0.5)}}}}));
  EXPECT_NEAR(found["S-parameters"]["curves"][0]["y"][0], 20 * std::log10(0.5), 1e-4);
  EXPECT_NEAR(found["Phase"]["curves"][0]["y"][0], 90, 1e-4);
  EXPECT_NEAR(found["Standing wave ratio"]["curves"][0]["y"][0], 3, 1e-4);
  const auto both = charts_by_title(
      draw_scattering({{1e9}, {{1, 1, {0.6}}, {1, 2, {0.8}}, {2, 1, {0.8}}}}))["S-parameters"];
  EXPECT_EQ(both["names"], (std::vector<std::string>{"S12", "S11"}));  // else they lie above one another
  EXPECT_EQ(both["curves"][1]["x"], (std::vector<double>{2}));
  EXPECT_EQ(both["x"], "frequency (GHz): 1");
}

}  // namespace
}  // namespace curlew::report
