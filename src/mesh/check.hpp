// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Is a mesh sound? Everything that would otherwise surface later as a wrong result or a crash.

#include <cstddef>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// What a solver needs: tetrahedra, or triangles of named surfaces.
enum class MeshUse { volumes, surfaces };

/// Throws on the first thing that makes the mesh unusable, with the first place where it was found:
/// no cells (or, where surfaces suffice, no triangles); node numbers out of range or vertices not ascending;
/// coordinates that are not finite; regions without name or entities, named twice, or with entities out of
/// range; cells in no volume region; cells without volume; curved cells whose Jacobian changes sign; cells
/// that overlap their neighbour; triangles that are no face of a cell.
/// @param use what the solver works on; of a mesh for surfaces cells only say which triangles are around a
/// volume: their shape does not matter
/// @throws InputError in one line that starts with the mesh's name
void check_mesh(const Mesh& mesh, MeshUse use = MeshUse::volumes);

/// Where in a cell the mapping from the reference tetrahedron is least and most stretched.
struct JacobianRange {
  double least;  ///< determinant [m^3]; of the other sign than greatest if the cell is inside out somewhere
  double greatest;  ///< [m^3]; its sign is that at the middle of the cell
};
/// Looks at 56 points inside the cell, close to those of a quadrature rule of high order. Straight cells:
/// both the same.
JacobianRange jacobian_range(const Mesh& mesh, Index cell);

/// Corner nodes that coincide with another corner node within 1e-9 of the size of the mesh: volumes that
/// touch without sharing nodes. Legal (a thin cut), and mostly a forgotten fragment operation: worth a
/// warning.
std::size_t count_coincident_nodes(const Mesh& mesh);

}  // namespace curlew::mesh
