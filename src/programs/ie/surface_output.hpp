// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of the surface equations as files and tables.

#include <memory>
#include <string>
#include <vector>

#include "io/far_field_files.hpp"
#include "io/touchstone.hpp"
#include "io/vtkhdf.hpp"
#include "programs/ie/radiated_near_field.hpp"
#include "programs/ie/surface_config.hpp"
#include "results/pattern_output.hpp"

namespace curlew::programs {

/// One frequency: the system, its right-hand sides in the order waves, dipoles (one), ports, and their
/// solutions.
struct SurfaceSolution {
  double frequency;
  const ie::System& system;
  std::vector<ie::PortWeights> ports;
  std::vector<Complex> x;
  Index count = 0;

  const Complex* of(std::size_t rhs) const { return &x[rhs * std::size_t(system.num_unknowns())]; }
};

/// Files that hold all frequencies, and the lines of the tables.
class SurfaceFiles {
 public:
  SurfaceFiles(const SurfaceConfig& config, const ie::System& system, run::Run& run);
  /// Everything of one frequency. @param suffix of solution.h5
  void write(const SurfaceConfig& config, const SurfaceSolution& solution, const std::string& suffix);
  void close();

 private:
  run::Run& run_;
  std::unique_ptr<io::RcsWriter> rcs_;
  std::unique_ptr<results::PatternOutput> far_;
  std::unique_ptr<io::CsvWriter> impedance_;
  std::unique_ptr<io::VtkHdfWriter> currents_;
  std::unique_ptr<RadiatedFieldOutput> near_;
  io::Touchstone touchstone_;
  std::vector<std::vector<std::string>> port_rows_;
};

}  // namespace curlew::programs
