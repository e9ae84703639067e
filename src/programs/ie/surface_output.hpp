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
/// solutions; of ports those for 1 W incident with the others matched, then their sum by [[port]] amplitude.
struct SurfaceSolution {
  double frequency;
  const ie::System& system;
  std::optional<ie::DipoleSources> dipoles;
  std::vector<ie::PortWeights> ports;
  std::optional<ie::PortNetwork> network;  ///< of the ports
  std::vector<Complex> x;
  Index count = 0;
  bool has_combined = false;  ///< after the ports all of them at once

  std::size_t first_port() const { return std::size_t(count) - ports.size() - (has_combined ? 1 : 0); }

  const Complex* of(std::size_t rhs) const { return &x[rhs * std::size_t(system.num_unknowns())]; }
};

/// The ports of a config driven at once.
results::CombinedExcitation combined_excitation(const SurfaceConfig& config);
/// What a right-hand side from the first port on is called: the port, or all at once.
std::string source_name(const SurfaceConfig& config, const SurfaceSolution& solution, std::size_t rhs);

/// Files that hold all frequencies, and the lines of the tables.
class SurfaceFiles {
 public:
  SurfaceFiles(const SurfaceConfig& config, const ie::System& system, run::Run& run);
  ~SurfaceFiles();
  /// Everything of one frequency. @param file name of solution.h5
  void write(const SurfaceConfig& config, const SurfaceSolution& solution, const std::string& file);
  /// The same where nothing but these is left of the waves, and nothing else was asked for.
  void write_waves(const SurfaceConfig& config, const ie::System& system, double frequency,
                   const WaveResults& results);
  /// @param x [waves, unknowns] @param printed first waves whose cross-sections are computed
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
