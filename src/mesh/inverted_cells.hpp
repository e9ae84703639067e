// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Curved cells that fold over: short edges beside strongly curved surfaces.

#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Cells nearly inside out, ascending: the least determinant of the Jacobian is below 0.05 of the greatest,
/// or of another sign than that of the straight cell.
std::vector<Index> inverted_cells(const Mesh& mesh);

/// Gives these cells straight edges, and neighbours that this bends too far.
/// @return how many cells
Index straighten_inverted_cells(Mesh& mesh);

}  // namespace curlew::mesh
