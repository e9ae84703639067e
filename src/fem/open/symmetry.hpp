// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[symmetry]] of a finite element model: planes beyond which the structure is the image of the modelled
// part, or a ground plane. Fields and powers are those of the whole structure, so sources must have the
// symmetry, and the modelled part gets its share of the power.

#include <optional>
#include <vector>

#include "fem/open/excitation.hpp"
#include "fields/surface_currents.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

struct Symmetry {
  std::vector<fields::SymmetryPlane> planes;      ///< all planes with images, including a ground
  std::optional<fields::SymmetryPlane> ground{};  ///< no structure beyond it, and its image carries no power

  bool is_ground(const fields::SymmetryPlane& plane) const { return ground && ground->axis == plane.axis; }
  /// Ratio of the whole structure to the modelled part: 2 per plane of symmetry, 1 over a ground.
  double copies() const;
};

/// Greatest distance of a node from the first one [m], to which positions of planes are exact to 1e-9.
double reach_of(const mesh::Mesh& mesh);

/// +1 if the model lies above the plane's position, -1 if below; if on both, the side of larger extent.
int side_of(const mesh::Mesh& mesh, const fields::SymmetryPlane& plane);

/// Words for planes: with n x E = 0 or p = 0, the others, and a ground (metal or a rigid wall).
struct SymmetryWords {
  const char *electric = "pec", *magnetic = "pmc";
  bool is_ground_electric = true;
};
inline constexpr SymmetryWords sound_symmetry{"soft", "rigid", false};

/// [[symmetry]] axis, position, type = "pec" | "pmc" | "ground", or the given words.
/// @throws InputError for two planes on one axis
Symmetry read_symmetry(const io::Config& config, const SymmetryWords& words = {});

/// True if a wave is its own image in a plane of symmetry.
bool shares_symmetry(const green::ArrivingWave& wave, const fields::SymmetryPlane& plane);

/// Adapts excitations to the planes. Dipoles on a plane of symmetry are cut by it: the modelled part has half
/// of each. A wave over a ground gets its reflection there. Ports and currents are not changed.
/// @param splits waves without the symmetry are solved by parts (symmetric_waves.hpp)
/// @throws InputError for a wave, or a dipole on a plane, without the symmetry: a wave must travel along the
/// plane, with E normal to a PEC plane or in a PMC plane; a dipole must be normal to PEC or in PMC
void apply_symmetry(const io::Config& config, const Symmetry& symmetry, const mesh::Mesh& mesh,
                    std::vector<Excitation>& excitations, bool splits = false);

}  // namespace curlew::fem
