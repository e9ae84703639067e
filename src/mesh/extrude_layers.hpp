// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Layers of cells extruded outward from a closed surface, a sphere, a box, or by a given function: every
// triangle becomes a column of prisms, each of three tetrahedra. Along a prism's sides the diagonals follow
// the node numbers, so that neighbours agree (the subdivision of Kuhn). Source: Dompierre, Labbe, Vallet and
// Camarero (1999), 8th International Meshing Roundtable.

#include <functional>
#include <span>
#include <string>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

struct LayerExtrusion {
  bool spherical = false;
  Vec3<double> center{};  ///< [m] of a sphere
  double thickness = 0;   ///< [m] > 0
  int layers = 3;         ///< of prisms
  /// Instead of a sphere or box: the position of a point of the surface at a fraction of the thickness, from
  /// 0 (surface) to 1 (outer face).
  std::function<Vec3<double>(Vec3<double>, double)> outward{};
  std::string volume;  ///< name of the new cells
  std::string back;    ///< name of their outer face
};

/// Adds 3 * layers cells per triangle. A sphere is moved outward along its radii, a box away from its middle.
/// Curved meshes stay curved.
/// @param triangles of the mesh: the surface to grow on
/// @throws InputError if the surface is not closed, no sphere around the centre, or no box along the axes
void extrude_layers(Mesh& mesh, std::span<const Index> triangles, const LayerExtrusion& extrusion);

}  // namespace curlew::mesh
