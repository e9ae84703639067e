// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The vertex order that mesh.hpp demands, and renumbering of nodes.

#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Sorts the vertices of every cell and triangle by node number; the nodes at the middle of edges follow
/// their edges. Whatever generates a mesh calls this last.
/// @param[in,out] mesh cells and triangles of its geometry order, vertices first, then the middle nodes in
///                     the order of cell_edge_vertices and triangle_edge_vertices
void sort_vertices(Mesh& mesh);

/// Gives node i the number new_number[i] and sorts the vertices again.
/// @param new_number a permutation of 0..nodes-1
void renumber_nodes(Mesh& mesh, const std::vector<Index>& new_number);

/// A random renumbering, the same for the same seed on every machine: results must not depend on numbers.
void shuffle_nodes(Mesh& mesh, unsigned seed);

/// Numbers nodes and cells along a space-filling curve (Morton), so that neighbours in space are close in
/// memory.
void order_along_curve(Mesh& mesh);

}  // namespace curlew::mesh
