// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parts of cells and triangles whose edges are cut at a point.

#include <map>
#include <utility>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

using VertexPair = std::pair<Index, Index>;  ///< of an edge, ascending

/// The mesh with a vertex on each cut edge, and the adjacent cells and triangles subdivided. Curved ones stay
/// on their surfaces; regions keep their names; orders of elements are set by the caller. In a cell one edge,
/// the three of a vertex, or the four between two opposite edges may be cut. Source: Dompierre et al. (1999),
/// How to Subdivide Pyramids, Prisms and Hexahedra into Tetrahedra (diagonals through the least vertex).
/// @param cuts of edges, at a share of their length from the lower vertex
/// @param[in,out] parents of the cells before, then of their parts
Mesh cut_edges(const Mesh& mesh, const std::map<VertexPair, double>& cuts, std::vector<Index>& parents);

}  // namespace curlew::mesh
