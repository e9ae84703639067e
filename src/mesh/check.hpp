// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Checks a mesh for errors that would otherwise cause wrong results or crashes.

#include <cstddef>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Elements that a solver needs: tetrahedra, or triangles of named surfaces.
enum class MeshUse { volumes, surfaces };

/// Throws at the first error that makes the mesh unusable, with its first position: no cells (or, if surfaces
/// suffice, no triangles); node numbers out of range or vertices not ascending; coordinates that are not
/// finite; regions without name or entities, named twice, or with entities out of range; cells in no volume
/// region; cells without volume; curved cells whose Jacobian changes sign; cells that overlap their
/// neighbour; triangles that are no face of a cell.
/// @param use what the solver works on; in a mesh for surfaces cells only define which triangles bound a
/// volume, and their shape is not checked
/// @throws InputError in one line that starts with the mesh's name
void check_mesh(const Mesh& mesh, MeshUse use = MeshUse::volumes);

/// Extreme determinants of the mapping from the reference tetrahedron in a cell.
struct JacobianRange {
  double least;     ///< determinant [m^3]; sign opposite to `greatest` if the cell is partly inverted
  double greatest;  ///< [m^3]; its sign is that at the middle of the cell
};
/// Evaluated at 56 points inside the cell, close to those of a quadrature rule of high order. Equal for
/// straight cells.
JacobianRange jacobian_range(const Mesh& mesh, Index cell);

/// Corner nodes that coincide with another corner node within 1e-9 of the size of the mesh: volumes that
/// touch without sharing nodes. Allowed (a thin cut), but mostly caused by a missing fragment operation:
/// worth a warning.
std::size_t count_coincident_nodes(const Mesh& mesh);

}  // namespace curlew::mesh
