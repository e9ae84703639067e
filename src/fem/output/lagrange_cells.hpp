// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// VTK's Lagrange tetrahedra: cells in which a polynomial of degree n is given by its values on a lattice.

#include <vector>

#include "fem/output/cell_subdivision.hpp"

namespace curlew::fem {

/// The lattice's nodes in VTK's order: vertices, nodes within the edges 01, 12, 20, 03, 13, 23, those within
/// the faces 013, 231, 032, 021 in the order of a triangle (vertices, edges, the triangle inside), then those
/// of the tetrahedron inside. Source: VTK 9, vtkHigherOrderTetra::BarycentricIndex.
/// @param lattice of n pieces of every edge: a cell of order n
/// @param mirrored the cell is a left-handed image of the unit tetrahedron; VTK wants right-handed cells
std::vector<int> lagrange_nodes(const CellSubdivision& lattice, bool mirrored);

}  // namespace curlew::fem
