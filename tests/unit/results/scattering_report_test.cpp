// SPDX-License-Identifier: BSD-3-Clause
#include "results/scattering_report.hpp"

#include <gtest/gtest.h>

#include <array>

namespace curlew::results {
namespace {

/// The cross-section is the power of both components, whichever of them a body scatters; -60, 210 degrees
/// are the direction 60, 30.
TEST(WaveOfRows, TakesBothComponentsOfTheScatteredField) {
  std::array<io::RcsRow, 3> rows{{{1e9, 60, 30, "phi", 0, 0, 2.0, 3.0},
                                  {1e9, 60, 30, "phi", -60, 210, 0.25, 1.5},
                                  {1e9, 60, 30, "phi", 60, 210, 1.0, 0.5}}};

  const ScatteredWave wave = wave_of_rows(rows);
  EXPECT_EQ(wave.greatest, 5);
  EXPECT_EQ(wave.backscatter, 1.75);

  rows[1].theta_deg = 59;
  EXPECT_FALSE(wave_of_rows(rows).backscatter);
}

}  // namespace
}  // namespace curlew::results
