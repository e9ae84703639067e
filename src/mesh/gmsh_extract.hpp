// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Converts the mesh in Gmsh's current model.

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// A physical group of Gmsh: its name and the tags of the entities in it.
struct PhysicalGroup {
  std::string name;
  std::vector<int> entities;
};

/// Groups of dimension 1, 2 or 3, by tag. Groups without a name are called curve_TAG, surface_TAG or
/// volume_TAG, and the log says so.
std::vector<PhysicalGroup> physical_groups(int dimension);
std::vector<std::string> group_names(int dimension);

/// Tetrahedra of the physical volumes and triangles of the physical surfaces.
/// @param name of the result
/// @param metres in one unit of the model
/// @param order 1 or 2; 1 leaves the middle nodes of quadratic elements out
/// @throws InputError if there are other elements than tetrahedra and triangles, or volumes without
/// cells; a model without physical volumes gives a mesh of triangles
Mesh extract_mesh(const std::string& name, double metres, int order);

/// Highest order of the tetrahedra in the model: 1, 2, ...; 0 if it has no elements of dimension 3.
/// @throws InputError if there are elements of dimension 3 that are not tetrahedra
int order_of_cells(const std::string& name);

}  // namespace curlew::mesh
