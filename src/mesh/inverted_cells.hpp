// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Curved cells that fold over: short edges beside strongly curved surfaces.

#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Cells nearly inside out, ascending: the least determinant of the Jacobian is below 0.05 of the greatest,
/// or of another sign than that of the straight cell.
std::vector<Index> inverted_cells(const Mesh& mesh);

/// The mesh as it is if it is sound; else, if its cells are curved, the straight cells between the same
/// corners. Straight as a whole: who judges how far facets lie from the surface knows then that they are.
Mesh straight_where_folded(Mesh mesh);

}  // namespace curlew::mesh
