// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Nested dissection of the unknowns by a bisection of the cells: what the cells of two halves share separates
// them. It needs no matrix. There are 15 to 17 unknowns a cell at order 3, so a bisection of the cells' graph
// takes a third of what a dissection of the matrix's graph takes. Nodes of order 1 are fewer than cells:
// there cells are halved by their places, in no time, with separators some 1.3 times as large.

#include <vector>

#include "fem/lagrange/lagrange_space.hpp"
#include "fem/space.hpp"
#include "linalg/direct/dissection.hpp"

namespace curlew::fem {

/// Part of each cell, 0 .. parts - 1: halves of halves of equal numbers of cells that share few faces, of an
/// odd number of parts the larger half the last. The same on every process that has the mesh.
std::vector<Index> halves_of_cells(const mesh::Topology& topology, Index parts);

/// Unknowns of an edge, face or cell stand in the lowest node above all of its cells.
linalg::DissectionTree dissect_cells(const NedelecSpace& space);

/// The same of the free nodes of a space of order 1, by the places of the cells.
linalg::DissectionTree dissect_by_place(const LagrangeSpace& space);

}  // namespace curlew::fem
