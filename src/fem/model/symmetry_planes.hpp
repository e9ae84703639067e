// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Planes of symmetry that bound the modelled part of a structure.

#include <array>
#include <span>
#include <string>
#include <vector>

#include "base/vec3.hpp"
#include "fields/surface_currents.hpp"
#include "mesh/mesh.hpp"

namespace curlew::io {
class Config;
}

namespace curlew::fem {

struct BoundaryCondition;

/// The points r with normal · r = offset.
struct MirrorPlane {
  Vec3<double> normal;      ///< unit
  double offset = 0;        ///< [m]
  bool is_electric = true;  ///< n × E = 0 on it, else n × H = 0

  bool holds(Vec3<double> point, double tolerance) const;
};

/// The planes of the config ([[symmetry]] except ground, [truncation] symmetry), and those of its pmc
/// boundaries if these are planes at right angles to each other: magnetic walls that are parallel, oblique or
/// curved belong to the structure itself.
std::vector<MirrorPlane> read_mirror_planes(const io::Config& config, const mesh::Mesh& mesh,
                                            const std::vector<BoundaryCondition>& boundaries);

/// Sets which planes are electric in one part of a wave (open/symmetric_waves.hpp).
void state_kinds(const std::vector<fields::SymmetryPlane>& kinds, const mesh::Mesh& mesh,
                 std::vector<MirrorPlane>& planes);

/// The first plane that contains a triangle, or null.
const MirrorPlane* plane_that_holds(const mesh::Mesh& mesh, Index triangle,
                                    const std::vector<MirrorPlane>& planes);

/// Ratios between the whole structure and the modelled part at a port.
struct WholeStructure {
  double impedance = 1;  ///< Z of the whole over Z of the part: 1/2 per magnetic plane, 2 per electric
  double copies = 1;     ///< power of the whole over power of the part: factor 2 for each plane
  std::vector<MirrorPlane> planes;
};

/// Accounts for planes that contain an edge of the outline of these triangles (they cut the port) or all of
/// them.
WholeStructure whole_structure(const mesh::Mesh& mesh, std::span<const Index> triangles,
                               const std::vector<MirrorPlane>& planes);

}  // namespace curlew::fem
