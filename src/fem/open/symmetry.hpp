// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [[symmetry]] of a finite element model: planes beyond which the structure is the image of the modelled
// part, or a ground plane. Fields and powers are those of the whole structure, so what drives it must share
// the symmetry, and the modelled part gets its share of the power.

#include <optional>
#include <vector>

#include "fem/open/excitation.hpp"
#include "fields/surface_currents.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

struct Symmetry {
  std::vector<fields::SymmetryPlane> planes;      ///< all that have images, a ground among them
  std::optional<fields::SymmetryPlane> ground{};  ///< nothing is beyond it, and its image carries no power

  bool is_ground(const fields::SymmetryPlane& plane) const { return ground && ground->axis == plane.axis; }
  /// Times the modelled part of the whole structure: 2 per plane of symmetry, 1 over a ground.
  double copies() const;
};

/// +1 where the model lies above the plane's position, -1 below; of both, where it reaches further.
int side_of(const mesh::Mesh& mesh, const fields::SymmetryPlane& plane);

/// What planes are called: those with n x E = 0 or p = 0, the others, and a ground, metal or a rigid wall.
struct SymmetryWords {
  const char *electric = "pec", *magnetic = "pmc";
  bool is_ground_electric = true;
};
inline constexpr SymmetryWords sound_symmetry{"soft", "rigid", false};

/// [[symmetry]] axis, position, type = "pec" | "pmc" | "ground", or in other words.
/// @throws InputError for two planes on one axis
Symmetry read_symmetry(const io::Config& config, const SymmetryWords& words = {});

/// True if a wave is its own image in a plane of symmetry.
bool shares_symmetry(const green::ArrivingWave& wave, const fields::SymmetryPlane& plane);

/// Makes the excitations fit the planes. Dipoles on a plane of symmetry are cut by it: the modelled part has
/// half of each. A wave over a ground gets its reflection there. A model of a part with [[port]]s or currents
/// needs nothing.
/// @param splits waves without the symmetry are solved by parts (symmetric_waves.hpp)
/// @throws InputError for a wave or a dipole on a plane that has not its symmetry: a wave must come along the
/// plane, E across a PEC plane, in a PMC plane; a dipole stands across PEC and lies in PMC
void apply_symmetry(const io::Config& config, const Symmetry& symmetry, const mesh::Mesh& mesh,
                    std::vector<Excitation>& excitations, bool splits = false);

}  // namespace curlew::fem
