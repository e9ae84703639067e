// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes of systems of another order on a mesh, without making their spaces. Functions on metal are counted.

#include "mesh/topology.hpp"

namespace curlew::fem {

/// Functions of a vertex, and inside of an edge, a face and a cell.
struct ElementFunctions {
  double vertex = 0, edge = 0, face = 0, cell = 0;
};
/// Functions of elements of order 1 to 3: Nedelec of the first kind (Maxwell), Lagrange (sound).
ElementFunctions nedelec_functions(int order);
ElementFunctions lagrange_functions(int order);

/// @note vertices are counted by Euler's formula of a body without holes
double count_unknowns(const mesh::Topology& topology, const ElementFunctions& functions);
/// Entries of the matrix, both triangles: pairs of functions that share a cell.
double count_entries(const mesh::Topology& topology, const ElementFunctions& functions);

}  // namespace curlew::fem
