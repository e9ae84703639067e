// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of plane waves in ie-solve, for every equation: rcs.csv, the table of cross-sections, and a
// warning where power does not balance.

#include "ie/results/cross_sections.hpp"
#include "io/far_field_files.hpp"
#include "programs/ie/config.hpp"
#include "results/scattering_report.hpp"

namespace curlew::programs {

/// Waves of a frequency whose cross-sections are computed; rcs.csv has all.
std::vector<green::ArrivingWave> printed_waves(const IeConfig& config);
/// The rows of one frequency in rcs.csv. @param x [waves, unknowns] @returns what they say of each wave
std::vector<results::ScatteredWave> write_rcs(const IeConfig& config, bool monostatic, double frequency,
                                              const ie::FarFields& fields, const Complex* x,
                                              io::RcsWriter& csv);

/// What of extinction may be missing in scattering and absorption, and the way out where more is.
struct PowerBalance {
  double worst;
  std::string cause;
};
/// Adds the waves to the report, the first ones with their cross-sections, and warns once where power does
/// not balance.
/// @param sections of the waves of printed_waves @param scattered of write_rcs
void report_waves(const IeConfig& config, double frequency, const ie::FarFields& fields, const Complex* x,
                  const std::vector<ie::CrossSections>& sections, const PowerBalance& balance,
                  std::vector<results::ScatteredWave> scattered, results::ScatteringReport& report,
                  run::Run& run);

}  // namespace curlew::programs
