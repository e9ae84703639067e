// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Config of the surface equations, read into the library's types.

#include <optional>
#include <string>
#include <vector>

#include "fem/driven/adaptive_sweep.hpp"
#include "ie/sources/excitation.hpp"
#include "ie/surface/choose_equation.hpp"
#include "io/pattern_files.hpp"
#include "mesh/mesh.hpp"
#include "programs/ie/config.hpp"

namespace curlew::programs {

struct SurfaceConfig : IeConfig {
  std::vector<ie::Dipole> dipoles;  ///< together one right-hand side
  std::vector<ie::Port> ports;      ///< one right-hand side each
  bool automatic_preconditioner = true;
  bool monostatic = false;
  bool mirror_waves = true;         ///< those that are images of each other are solved once
  io::PatternFormats formats;       ///< of files beside farfield.csv
  double reference_impedance = 50;  ///< [ohm]
  int touchstone = 1;               ///< version of the file of S
  /// [ports] power waves [sqrt W] that come in when all ports are driven at once; empty: not asked for
  std::vector<Complex> drive;
  std::optional<fem::FastSweepOptions> fast;  ///< of an adaptive sweep
};

/// All but the surfaces. @throws InputError with file and line
SurfaceConfig read_surface_config(const io::Config& config, run::Run& run);

/// The word of [formulation] equation, also of volumes and films.
std::string read_equation(const io::Config& config);

/// What equation = "auto" takes for all frequencies, by the highest; nothing if an equation is stated.
std::optional<ie::EquationChoice> automatic_equation(const io::Config& config, const mesh::Mesh& mesh);

/// The [[port]] tables; loads at a frequency [Hz].
std::vector<ie::Port> read_surface_ports(const io::Config& config, double frequency);

/// @param mesh straight
/// @throws InputError where surfaces touch or cross without common nodes
void check_surfaces(const io::Config& config, const mesh::Mesh& mesh);

/// @throws InputError with file and line for a dipole that lies inside a conductor or too near to a surface
void check_dipoles(const io::Config& config, const ie::System& system);

/// The problem at one frequency: which of the mesh's surfaces, what they are, the equation.
/// @throws InputError with file and line: unknown surfaces, surfaces without boundary or material, ...
ie::Problem read_surface_problem(const io::Config& config, const mesh::Mesh& mesh, double frequency);

}  // namespace curlew::programs
