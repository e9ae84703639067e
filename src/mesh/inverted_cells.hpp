// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Curved cells that fold over: short edges beside strongly curved surfaces.

#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Nearly inverted cells, ascending: the least determinant of the Jacobian is below 0.05 of the greatest, not
/// positive at a corner or the middle of an edge, or of another sign than that of the straight cell.
std::vector<Index> inverted_cells(const Mesh& mesh);

/// A mesh whose inverted cells are less curved.
struct Flattened {
  Mesh mesh;
  Index cells = 0;            ///< that were flattened
  double farthest = 0;        ///< [m] that a node of them moved, off the surface that it lay on
  double farthest_share = 0;  ///< the same divided by the length of its edge's chord
};

/// Moves the middle nodes of inverted cells towards the chords of their edges, in steps of an eighth, until
/// no cell is inverted (straight ones are not). Other cells at the edge change with it. The result is
/// deterministic.
/// @param mesh of geometry order 2 whose straight cells are sound
Flattened flatten_inverted(Mesh mesh);

/// The same of a mesh with few of them, at most one of a hundred cells: making all cells straight would move
/// all edges off the surface, not only some. A mesh with more is unchanged.
Flattened flatten_few(Mesh mesh);

/// The mesh itself if it is sound; else, if its cells are curved, the straight cells between the same
/// corners. All become straight, since estimates of the facets' error need meshes of one kind.
Mesh straight_where_folded(Mesh mesh);

}  // namespace curlew::mesh
