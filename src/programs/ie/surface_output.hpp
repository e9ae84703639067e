// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results of the surface equations as files and tables.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ie/sources/dipole_sources.hpp"
#include "ie/sources/port_network.hpp"
#include "io/vtkhdf.hpp"
#include "programs/ie/radiated_near_field.hpp"
#include "programs/ie/surface_config.hpp"
#include "programs/ie/wave_output.hpp"
#include "results/combined.hpp"
#include "results/result_seconds.hpp"

namespace curlew::results {
class RadiationReport;
}  // namespace curlew::results

namespace curlew::programs {

class PortFiles;

/// Triangles as cells of a file of fields.
io::VtkGrid surface_grid(const ie::SurfaceMesh& mesh);

/// One frequency: the system, its right-hand sides in the order waves, dipoles (one), ports, and their
/// solutions; for ports with 1 W incident and the others matched, then their sum weighted by [[port]]
/// amplitude.
struct SurfaceSolution {
  double frequency;
  const ie::System& system;
  std::optional<ie::DipoleSources> dipoles;
  std::vector<ie::PortWeights> ports;
  std::optional<ie::PortNetwork> network;  ///< of the ports
  std::vector<Complex> x;
  Index count = 0;
  bool has_combined = false;  ///< all ports driven together come last

  std::size_t first_port() const { return std::size_t(count) - ports.size() - (has_combined ? 1 : 0); }

  const Complex* of(std::size_t rhs) const { return &x[rhs * std::size_t(system.num_unknowns())]; }
};

/// The ports of a config driven at once.
results::CombinedExcitation combined_excitation(const SurfaceConfig& config);
/// Name of a right-hand side of ports: the port, or that of all ports together.
std::string source_name(const SurfaceConfig& config, const SurfaceSolution& solution, std::size_t rhs);

/// Writes files that contain all frequencies, and the tables.
class SurfaceFiles {
 public:
  SurfaceFiles(const SurfaceConfig& config, const ie::System& system, run::Run& run);
  ~SurfaceFiles();
  /// Writes everything of one frequency. @param file name of solution.h5
  void write(const SurfaceConfig& config, const SurfaceSolution& solution, const std::string& file);
  /// The same if only wave results exist and nothing else was requested.
  void write_waves(const SurfaceConfig& config, const ie::System& system, double frequency,
                   const WaveResults& results);
  /// @param x [waves, unknowns] @param printed number of waves, the first ones, whose cross-sections are
  /// computed
  WaveResults results_of(const SurfaceConfig& config, const ie::System& system, const Complex* x,
                         std::size_t printed, Device device);
  void close();

 private:
  run::Run& run_;
  results::ResultSeconds seconds_;
  std::unique_ptr<results::WaveFiles> waves_;
  std::unique_ptr<results::RadiationReport> radiation_;
  std::unique_ptr<PortFiles> ports_;
  std::unique_ptr<results::CombinedExcitation> combined_;
  std::unique_ptr<io::VtkHdfWriter> currents_;
  std::unique_ptr<RadiatedFieldOutput> near_;
};

}  // namespace curlew::programs
