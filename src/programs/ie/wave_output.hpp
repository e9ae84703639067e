// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of plane waves in ie-solve, for every equation: rcs.csv, the table of cross-sections, and a
// warning where power does not balance.

#include "ie/results/cross_sections.hpp"
#include "programs/ie/config.hpp"
#include "results/scattering_report.hpp"

namespace curlew::programs {

/// Waves whose cross-sections are computed: the first ones; rcs.csv has all. @param most of them
std::vector<green::ArrivingWave> printed_waves(const IeConfig& config,
                                               std::size_t most = results::ScatteringReport::most_rows);

/// All that is written of the waves of a frequency, which does not need their currents any more.
struct WaveResults {
  fields::FarField far;                     ///< [waves, directions of each]
  std::vector<double> back, forward;        ///< [m^2] radar cross-sections of the printed waves
  std::vector<ie::CrossSections> sections;  ///< of the same
};
/// E of each wave in its directions. @param x [waves, unknowns]
fields::FarField wave_pattern(const IeConfig& config, bool monostatic, const ie::FarFields& fields,
                              const Complex* x);
/// What else there is of the printed waves. @param sections of these
void add_sections(const IeConfig& config, const ie::FarFields& fields, const Complex* x,
                  std::vector<ie::CrossSections> sections, WaveResults& results);

/// What of extinction may be missing in scattering and absorption, and the way out where more is.
struct PowerBalance {
  double worst;
  std::string cause;
};
/// Writes the waves of one frequency, the first ones with their cross-sections, and warns once where power
/// does not balance. @param monostatic each wave in its own direction @param k [1/m] outside
void report_waves(const IeConfig& config, bool monostatic, double frequency, double k,
                  const WaveResults& results, const PowerBalance& balance, results::WaveFiles& files,
                  run::Run& run);

}  // namespace curlew::programs
