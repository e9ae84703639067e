// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Excitations of open problems. Each one is a right-hand side of
//   curl mu_r^-1 curl E - k0^2 eps_r E = -jw mu0 J.
// Currents give the total field. A plane wave, or dipoles in a homogeneous medium, give the scattered field
// E - E_inc: its sources are the polarisation of bodies and the tangential incident field on metal.
// Source: Jin (2014), The Finite Element Method in Electromagnetics, 3rd ed., sections 9.3 and 10.2.

#include <optional>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/boundary_terms.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "fields/surface_currents.hpp"
#include "green/dipole.hpp"
#include "green/plane_wave.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

/// J = density in all cells of a volume region.
struct CurrentRegion {
  std::string region;
  Vec3<Complex> density;  ///< [A/m^2], peak
};

/// A lossless isotropic medium.
struct Background {
  double epsilon_r = 1, mu_r = 1;
};

/// The unknown with dipoles: the total field, or the field without that of the dipoles (known_field.hpp).
enum class Formulation { automatic, scattered, total };

/// Either a plane wave, or currents that radiate together.
struct Excitation {
  std::string label;
  std::optional<green::ArrivingWave> wave{};
  std::vector<green::Dipole> dipoles{};
  std::vector<CurrentRegion> currents{};
  std::string polarization{};  ///< of a wave, as the user named it
  Formulation formulation = Formulation::automatic;
  std::optional<Background> background{};         ///< of dipoles with subtracted incident field
  std::vector<green::Dipole> images{};            ///< of these dipoles, in planes of symmetry
  std::optional<fields::SymmetryPlane> ground{};  ///< ground plane that reflects the wave
  /// Planes whose symmetry this part of a wave has: it is the mean over images (symmetric_waves.hpp).
  std::vector<fields::SymmetryPlane> mean_over{};
  bool is_dual = false;  ///< solved only for derivatives of others, after all excitations with results

  /// True if the unknown is the scattered field.
  bool is_scattered() const { return wave || background; }
};

/// [[excitation]] of a config: type = "plane_wave" (theta, phi, polarization: lists make all combinations),
/// "dipole" (position, direction, moment: lists radiate together), "current" (region, density). Coordinates
/// are in the unit of [mesh].
/// @throws InputError with file and line
std::vector<Excitation> read_excitations(const io::Config& config, const mesh::Mesh& mesh);

/// @throws InputError if a source lies outside of the mesh or in a layer, or if a wave meets a layer or an
/// absorbing boundary that is not in vacuum
void check_excitations(const io::Config& config, const std::vector<Excitation>& excitations,
                       const Model& model, const mesh::Mesh& mesh);

/// b_a += int W_a.J of an excitation's currents [A m times 1/m]. b [num_dofs]
/// @throws InputError if a dipole is in no cell
void add_current_load(const NedelecSpace& space, const Excitation& excitation, Complex* b);

/// Whether a dipole lies in a lossy medium, where the power dissipated near a point dipole is infinite: the
/// finite value of the elements is meaningless.
bool has_dipole_in_loss(const mesh::Mesh& mesh, const CellMaterials& materials, const Excitation& excitation);

/// b_a += k0^2 int W_a.(eps_r - eps_b) E_inc dV - int curl W_a.(mu_r^-1 - mu_b^-1) curl E_inc dV over all
/// cells except PML that differ from the background of a scattered excitation.
void add_polarization_load(const NedelecSpace& space, const CellMaterials& materials,
                           const Excitation& excitation, double k0, Complex* b);

/// b_a += int W_a.(n x mu_b^-1 curl E_inc - gamma E_inc) dS over the triangles outside of PML: scattering by
/// an impedance boundary (gamma = jk0 Z0/Zs) or magnetic wall (gamma = 0) on a body. On a surface with cells
/// on both sides the first term cancels and is left out.
/// @param along the only direction of current on the surface; empty: all
void add_boundary_load(const NedelecSpace& space, std::span<const Index> triangles,
                       const std::vector<bool>& layer, const Excitation& excitation, double k0, Complex gamma,
                       const FaceDirection& along, Complex* b);

}  // namespace curlew::fem
