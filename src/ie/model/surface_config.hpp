// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Config of the surface equations, read into the library's types.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fields/dual_waves.hpp"
#include "ie/model/config.hpp"
#include "ie/model/surface_case.hpp"
#include "ie/sources/excitation.hpp"
#include "io/frequency.hpp"
#include "io/pattern_files.hpp"
#include "material/circuit.hpp"

namespace curlew::ie {

struct SurfaceConfig : IeConfig {
  std::shared_ptr<const SurfaceCase> surfaces;
  std::vector<Dipole> dipoles;           ///< together one right-hand side
  std::vector<Port> ports;               ///< one right-hand side each; loads at the first frequency
  std::vector<material::Circuit> loads;  ///< [ports] in series
  bool automatic_preconditioner = true;
  bool monostatic = false;
  io::PatternFormats formats;       ///< of further pattern files
  double reference_impedance = 50;  ///< [ohm]
  int touchstone = 1;               ///< version of the Touchstone file
  /// [ports] power waves [sqrt W] that come in when all ports are driven at once; empty: not requested
  std::vector<Complex> drive;
  std::optional<io::AdaptiveSweep> adaptive;
  fields::DualWaves duals;  ///< of derivatives

  /// With the loads at a frequency [Hz].
  SurfaceConfig at(double frequency) const;
};

/// @throws InputError with file and line
SurfaceConfig read_surface_config(const io::Config& config, run::Run& run);

/// The word of [formulation] equation, also of volumes and films.
std::string read_equation(const io::Config& config);

/// Whether a [[port]] is a surface, else the gap between two.
bool is_lumped(const io::Config& port);

/// The [[port]] tables; loads at a frequency [Hz].
std::vector<Port> read_surface_ports(const io::Config& config, double frequency);

/// @throws InputError with file and line for a dipole that lies inside a conductor or too near to a surface
void check_dipoles(const io::Config& config, const System& system);

}  // namespace curlew::ie
