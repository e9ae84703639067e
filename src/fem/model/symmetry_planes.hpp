// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Planes of symmetry that a model is a part of.

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

/// The planes that the config states ([[symmetry]] but ground, [truncation] symmetry), and those of its pmc
/// boundaries if these are planes at right angles to each other: magnetic walls that are parallel, oblique or
/// curved belong to the structure itself.
std::vector<MirrorPlane> read_mirror_planes(const io::Config& config, const mesh::Mesh& mesh,
                                            const std::vector<BoundaryCondition>& boundaries);

/// States which planes are electric in one part of waves that are split (open/symmetric_waves.hpp).
void state_kinds(const std::vector<fields::SymmetryPlane>& kinds, const mesh::Mesh& mesh,
                 std::vector<MirrorPlane>& planes);

/// The first plane that holds a triangle, or null.
const MirrorPlane* plane_that_holds(const mesh::Mesh& mesh, Index triangle,
                                    const std::vector<MirrorPlane>& planes);

/// What a part of a structure and all of it differ by at a port.
struct WholeStructure {
  double impedance = 1;  ///< Z of the whole over Z of the part: half for each magnetic plane, twice for each
                         ///< electric one
  double copies = 1;     ///< power of the whole over power of the part: 2 for each plane
  std::vector<MirrorPlane> planes;
};

/// The planes that hold an edge of the outline of these triangles (they cut the port) or all of them.
WholeStructure whole_structure(const mesh::Mesh& mesh, std::span<const Index> triangles,
                               const std::vector<MirrorPlane>& planes);

}  // namespace curlew::fem
