// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Output of antennas in ie-solve: ports as a network, and far fields of driven ports and of dipoles.

#include <memory>

#include "io/csv.hpp"
#include "io/touchstone.hpp"
#include "programs/ie/surface_output.hpp"
#include "results/radiation_report.hpp"
#include "results/s_parameters.hpp"

namespace curlew::programs {

/// impedance.csv, ports.csv, NAME.sNp, the table of ports, and s_parameters of the summary.
class PortFiles {
 public:
  PortFiles(const SurfaceConfig& config, run::Run& run);
  void add(const SurfaceConfig& config, const SurfaceSolution& solution);
  void close();

 private:
  run::Run& run_;
  double reference_;  ///< [ohm]
  std::vector<std::string> names_;
  std::vector<results::SPoint> points_;
  io::CsvWriter csv_;
  io::Touchstone touchstone_;
  std::vector<std::vector<std::string>> rows_;
};

/// Adds far fields of one frequency: of the dipoles together, and of each port driven with 1 W.
void add_radiation(const SurfaceConfig& config, const SurfaceSolution& solution,
                   results::RadiationReport& report, run::Run& run);

}  // namespace curlew::programs
