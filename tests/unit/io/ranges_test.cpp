// SPDX-License-Identifier: BSD-3-Clause
#include "io/ranges.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/frequency.hpp"
#include "temp_folder.hpp"

namespace curlew::io {
namespace {

std::vector<double> frequencies(const std::string& lines) {
  return io::frequencies(Config::parse("[frequency]\n" + lines, "a.toml"));
}
std::string fault(const std::string& lines) {
  return test::message_of<InputError>([&] { frequencies(lines); });
}

TEST(FrequencyList, ValuesAndRanges) {
  EXPECT_EQ(frequencies("values = [2e9, 1e9, 3e9]"), (std::vector<double>{1e9, 2e9, 3e9}));
  EXPECT_EQ(frequencies("values = 3"), (std::vector<double>{3}));
  EXPECT_EQ(frequencies("start = 1\nstop = 2\npoints = 3"), (std::vector<double>{1, 1.5, 2}));
  EXPECT_EQ(frequencies("start = 2\nstop = 1\npoints = 3"), (std::vector<double>{1, 1.5, 2}));
  EXPECT_EQ(frequencies("start = 1\nstop = 2\npoints = 1"), (std::vector<double>{1}));
}

TEST(FrequencyList, SaysWhatIsWrong) {
  EXPECT_EQ(fault(""),
            "a.toml:1: frequency: no frequency: give values = [..] in Hz, or start, stop and points");
  EXPECT_EQ(fault("values = []"), "a.toml:2: frequency: values must hold at least one frequency in Hz");
  EXPECT_EQ(fault("values = [1e9, 0]"),
            "a.toml:2: frequency: values: a frequency of 0 Hz must be greater than 0");
  EXPECT_EQ(fault("values = [1e9, 2e9, 1e9]"), "a.toml:2: frequency: values: 1000000000 Hz is given twice");
  EXPECT_EQ(fault("start = 5\nstop = 5\npoints = 2"), "a.toml:4: frequency: points: 5 Hz is given twice");
  EXPECT_EQ(fault("values = [1]\nstart = 1"),
            "a.toml:2: frequency: give either values or start, stop and points, not both");
  EXPECT_EQ(fault("start = 1\nstop = 2"),
            "a.toml:1: frequency: key \"points\" is missing: a whole number below 2^31 is needed");
  EXPECT_EQ(fault("start = 1\nstop = -2\npoints = 2"),
            "a.toml:3: frequency: stop = -2 must be greater than 0");
  EXPECT_EQ(fault("start = 1\nstop = 2\npoints = 0"),
            "a.toml:4: frequency: points = 0 must be a whole number from 1 to 10000000");
}

TEST(FrequencyList, MayBeginAt0Hz) {
  const auto range = [](const std::string& lines) {
    return io::frequencies(Config::parse("[frequency]\n" + lines, "a.toml"), io::Lowest::zero);
  };
  const auto fault = [&](const std::string& lines) {
    return test::message_of<InputError>([&] { range(lines); });
  };
  EXPECT_EQ(range("start = 0\nstop = 2\npoints = 3"), (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(fault("start = -1\nstop = 2\npoints = 3"), "a.toml:2: frequency: start = -1 must be at least 0");
  EXPECT_EQ(fault("start = 0\nstop = 0\npoints = 2"), "a.toml:3: frequency: stop = 0 must be greater than 0");
}

TEST(LinearRange, StartStopPoints) {
  const Config config = Config::parse("theta = [0, 180, 181]\nbad = [0, 1, 1.5]\nshort = [0, 1]\n", "a.toml");

  EXPECT_EQ(linear_range(config, "theta").size(), 181U);
  EXPECT_EQ(linear_range(config, "theta").back(), 180.0);
  EXPECT_EQ(linear_range(config, "theta")[90], 90.0);
  for (const auto* key : {"bad", "short"}) {
    EXPECT_NE(test::message_of<InputError>([&] {
                linear_range(config, key);
              }).find("must be [start, stop, points]"),
              std::string::npos);
  }
  EXPECT_EQ(test::message_of<InputError>(
                [] { linear_range(Config::parse("phi = [0, 1e30, 2]", "a.toml"), "phi"); }),
            "a.toml:1: phi = 1e+30 must be an angle from -360 to 360 degrees");
}

std::optional<AdaptiveSweep> adaptive(const std::string& frequency, const std::string& others = "") {
  const auto config = Config::parse("[frequency]\n" + frequency + "\n" + others, "a.toml");
  return adaptive_sweep(config, io::frequencies(config, io::Lowest::zero));
}

TEST(AdaptiveSweepOf, ABandIsTheDefaultFromADozenFrequenciesOn) {
  const std::string band = "start = 1\nstop = 2\npoints = ";
  EXPECT_FALSE(adaptive(band + "11"));
  ASSERT_TRUE(adaptive(band + "12"));
  EXPECT_EQ(adaptive(band + "12")->tolerance, 1e-3);
  EXPECT_FALSE(adaptive(band + "12")->is_stated);
  // separate frequencies; the static limit is none of a band
  EXPECT_FALSE(adaptive("values = [1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 4.1]"));
  EXPECT_TRUE(adaptive("values = [0, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2, 4]"));
  EXPECT_FALSE(adaptive("values = [0, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2]"));
}

TEST(AdaptiveSweepOf, ABandHasATenthOfTheErrorThatTheBarsMayHave) {
  const std::string band = "start = 1\nstop = 2\npoints = 101";
  EXPECT_NEAR(adaptive(band, "[accuracy]\ntolerance = 2e-3")->tolerance, 2e-4, 1e-18);
  EXPECT_NEAR(adaptive(band, "[refinement]\ntolerance = 5e-3")->tolerance, 5e-4, 1e-18);
  EXPECT_EQ(adaptive(band, "[accuracy]\ntolerance = 0.1")->tolerance, 1e-3);
}

TEST(AdaptiveSweepOf, WhatIsStatedWins) {
  EXPECT_FALSE(adaptive("start = 1\nstop = 2\npoints = 101\nadaptive_tolerance = 0"));
  const auto few = adaptive("values = [1, 2, 3]\nadaptive_tolerance = 0.01\nmax_solutions = 7");
  ASSERT_TRUE(few);
  EXPECT_TRUE(few->is_stated);
  EXPECT_EQ(few->tolerance, 0.01);
  EXPECT_EQ(few->max_solutions, 7);
  EXPECT_EQ(test::message_of<InputError>([] { adaptive("values = [1, 2]\nadaptive_tolerance = -1"); }),
            "a.toml:3: frequency: adaptive_tolerance = -1 must be at least 0; 0: every frequency is solved");
}

TEST(Directions, MayNotBeMoreThanMemoryHolds) {
  const auto config = Config::parse("theta = [0, 180, 100000]\nphi = [0, 360, 100000]\n", "a.toml");
  EXPECT_NO_THROW(require_directions(config, 1000, 10000));
  EXPECT_EQ(test::message_of<InputError>([&] { require_directions(config, 100000, 100000); }),
            "a.toml:1: theta and phi give 10000000000 directions: at most 10000000 are allowed");
}

}  // namespace
}  // namespace curlew::io
