// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Nested dissection of the unknowns by a bisection of the cells: unknowns shared by the cells of two halves
// separate them. There are 15 to 17 unknowns per cell at order 3, so this takes a third of what a dissection
// of the matrix's graph takes, and it needs no matrix.

#include <vector>

#include "fem/space.hpp"
#include "linalg/direct/dissection.hpp"

namespace curlew::fem {

/// Part of each cell, 0 .. parts - 1: halves of halves of equal numbers of cells that share few faces, with
/// an odd number of parts the last half is larger. The same on every process that has the mesh.
std::vector<Index> halves_of_cells(const mesh::Topology& topology, Index parts);

/// Unknowns of an edge, face or cell belong to the lowest node that contains all of its cells.
linalg::DissectionTree dissect_cells(const NedelecSpace& space);

}  // namespace curlew::fem
