// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of the surface equations as files and tables.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ie/sources/dipole_sources.hpp"
#include "ie/sources/port_network.hpp"
#include "io/far_field_files.hpp"
#include "io/vtkhdf.hpp"
#include "programs/ie/radiated_near_field.hpp"
#include "programs/ie/surface_config.hpp"
#include "results/result_seconds.hpp"

namespace curlew::results {
class RadiationReport;
class ScatteringReport;
}  // namespace curlew::results

namespace curlew::programs {

class PortFiles;

/// Triangles as cells of a file of fields.
io::VtkGrid surface_grid(const ie::SurfaceMesh& mesh);

/// One frequency: the system, its right-hand sides in the order waves, dipoles (one), ports, and their
/// solutions; of ports those for 1 W incident with the others matched.
struct SurfaceSolution {
  double frequency;
  const ie::System& system;
  std::optional<ie::DipoleSources> dipoles;
  std::vector<ie::PortWeights> ports;
  std::optional<ie::PortNetwork> network;  ///< of the ports
  std::vector<Complex> x;
  Index count = 0;

  const Complex* of(std::size_t rhs) const { return &x[rhs * std::size_t(system.num_unknowns())]; }
};

/// Files that hold all frequencies, and the lines of the tables.
class SurfaceFiles {
 public:
  SurfaceFiles(const SurfaceConfig& config, const ie::System& system, run::Run& run);
  ~SurfaceFiles();
  /// Everything of one frequency. @param suffix of solution.h5
  void write(const SurfaceConfig& config, const SurfaceSolution& solution, const std::string& suffix);
  void close();

 private:
  void write_waves(const SurfaceConfig& config, const SurfaceSolution& solution);

  run::Run& run_;
  results::ResultSeconds seconds_;
  std::unique_ptr<io::RcsWriter> rcs_;
  std::unique_ptr<results::ScatteringReport> waves_;
  std::unique_ptr<results::RadiationReport> radiation_;
  std::unique_ptr<PortFiles> ports_;
  std::unique_ptr<io::VtkHdfWriter> currents_;
  std::unique_ptr<RadiatedFieldOutput> near_;
};

}  // namespace curlew::programs
