// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What ie-solve says of plane waves: rcs.csv, cross-sections, and what their checks mean.

#include "io/far_field_files.hpp"
#include "programs/ie/surface_output.hpp"
#include "results/scattering_report.hpp"

namespace curlew::programs {

/// The rows of one frequency in rcs.csv. @return what they say of each wave
std::vector<results::ScatteredWave> write_rcs(const SurfaceConfig& config, const SurfaceSolution& solution,
                                              io::RcsWriter& csv);
/// Adds the cross-sections of the first waves, and warns once where power does not balance.
void report_waves(const SurfaceConfig& config, const SurfaceSolution& solution,
                  std::vector<results::ScatteredWave> scattered, results::ScatteringReport& report,
                  run::Run& run);

}  // namespace curlew::programs
