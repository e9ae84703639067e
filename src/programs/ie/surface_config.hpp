// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a config of the surface equations says, as the library's types.

#include <optional>
#include <string>
#include <vector>

#include "ie/operator/solve.hpp"
#include "ie/sources/excitation.hpp"
#include "io/config.hpp"
#include "io/near_field_files.hpp"
#include "io/pattern_files.hpp"
#include "mesh/mesh.hpp"
#include "programs/ie/waves.hpp"
#include "run/run.hpp"

namespace curlew::programs {

struct SurfaceConfig {
  std::vector<double> frequencies;  ///< [Hz]
  std::vector<NamedWave> waves;
  std::vector<ie::Dipole> dipoles;  ///< together one right-hand side
  std::vector<ie::Port> ports;      ///< one right-hand side each
  ie::SolveOptions solver;
  bool automatic = true;  ///< the solver chooses dense or fast by the number of unknowns
  bool automatic_preconditioner = true;
  bool fields = true, monostatic = false;
  std::vector<double> theta_deg, phi_deg;  ///< of rcs.csv and farfield.csv
  io::PatternFormats formats;              ///< of files beside farfield.csv
  double reference_impedance = 50;         ///< [ohm]
  std::vector<io::NearFieldRequest> near_fields;
};

/// All but the surfaces. @throws InputError with file and line
SurfaceConfig read_surface_config(const io::Config& config, run::Run& run);

/// The [[port]] tables; loads at a frequency [Hz].
std::vector<ie::Port> read_surface_ports(const io::Config& config, double frequency);

/// @throws InputError with file and line for a dipole that lies inside a conductor or too near to a surface
void check_dipoles(const io::Config& config, const ie::System& system);

/// The problem at one frequency: which of the mesh's surfaces, what they are, the equation.
/// @throws InputError with file and line: unknown surfaces, surfaces without boundary or material, ...
ie::Problem read_surface_problem(const io::Config& config, const mesh::Mesh& mesh, double frequency);

}  // namespace curlew::programs
