// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What ie-solve says of plane waves: rcs.csv, the table of cross-sections, and what its checks mean.

#include "io/far_field_files.hpp"
#include "programs/ie/surface_output.hpp"

namespace curlew::programs {

/// Starts the table of cross-sections. Call where there are waves.
void start_wave_table(const SurfaceConfig& config, run::Run& run);
/// The rows of one frequency in rcs.csv.
void write_rcs(const SurfaceConfig& config, const SurfaceSolution& solution, io::RcsWriter& csv);
/// Lines of the table, `results`, and one warning where power does not balance.
void report_waves(const SurfaceConfig& config, const SurfaceSolution& solution, run::Run& run);

}  // namespace curlew::programs
