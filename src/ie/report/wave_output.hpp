// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of plane waves in ie-solve, for every equation: rcs.csv, the table of cross-sections, and a
// warning where power does not balance.

#include "ie/model/config.hpp"
#include "ie/results/cross_sections.hpp"
#include "results/scattering_report.hpp"

namespace curlew::ie {

/// The first waves, whose cross-sections are printed; rcs.csv has all. @param most of them, at most
std::vector<green::ArrivingWave> printed_waves(const IeConfig& config,
                                               std::size_t most = results::ScatteringReport::most_rows);

/// All written results of the waves at a frequency; currents are no longer needed.
struct WaveResults {
  fields::FarField far;                 ///< [waves, directions of each]
  std::vector<double> back, forward;    ///< [m^2] radar cross-sections of the printed waves
  std::vector<CrossSections> sections;  ///< of the printed waves
};
/// E of each wave in its directions. @param x [waves, unknowns]
fields::FarField wave_pattern(const IeConfig& config, bool monostatic, const FarFields& fields,
                              const Complex* x);
/// Adds the other results of the printed waves. @param sections of these
void add_sections(const IeConfig& config, const FarFields& fields, const Complex* x,
                  std::vector<CrossSections> sections, WaveResults& results);

/// Tolerated difference between extinction and scattering plus absorption, and advice if it is exceeded.
struct PowerBalance {
  double worst;
  std::string cause;
};
/// Writes the waves of one frequency, the first ones with their cross-sections, and warns once where power
/// does not balance. @param monostatic each wave is observed in its direction of incidence @param k [1/m]
/// outside
void report_waves(const IeConfig& config, bool monostatic, double frequency, double k,
                  const WaveResults& results, const PowerBalance& balance, results::WaveFiles& files,
                  run::Run& run);

}  // namespace curlew::ie
