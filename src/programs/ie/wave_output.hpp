// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What ie-solve says of plane waves, whatever the equation: rcs.csv, the table of cross-sections, and a
// warning where power does not balance.

#include "ie/results/cross_sections.hpp"
#include "io/far_field_files.hpp"
#include "programs/ie/config.hpp"

namespace curlew::programs {

/// Starts the table of cross-sections. Call where there are waves.
void start_wave_table(const IeConfig& config, run::Run& run);
/// Waves of a frequency whose cross-sections are computed and printed; rcs.csv has all.
std::vector<green::ArrivingWave> printed_waves(const IeConfig& config);
/// The rows of one frequency in rcs.csv. @param x [waves, unknowns]
void write_rcs(const IeConfig& config, bool monostatic, double frequency, const ie::FarFields& fields,
               const Complex* x, io::RcsWriter& csv);

/// What of extinction may be missing in scattering and absorption, and the way out where more is.
struct PowerBalance {
  double worst;
  std::string cause;
};
/// Lines of the table, `results`, and one warning where power does not balance.
/// @param sections of the printed waves
void report_waves(const IeConfig& config, double frequency, const ie::FarFields& fields, const Complex* x,
                  const std::vector<ie::CrossSections>& sections, const PowerBalance& balance, run::Run& run);

}  // namespace curlew::programs
