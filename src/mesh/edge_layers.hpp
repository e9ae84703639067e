// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Layers of cells around the rims of thin conductors, where fields grow as 1/sqrt(r): thin across the rim, as
// long along it as the cells were.
//
// With isotropic cells the error at a rim falls only as 1/N in the number of cells, since as many lie along
// it as across. Cutting every cell at the rim at a fraction of its height adds few cells per layer.
//
// A layer from r to q r holds a field of r^(-1/2), analytic except at r = 0. Polynomials of order p
// approximate it to rho^-(p+1), rho the sum of the half axes of the Bernstein ellipse through 0: 5.8 for q =
// 2, 3.0 for q = 4, 14 times the error at order 3. Its energy is proportional to r: outer layers have more
// energy and smaller ratios q. Sources: Trefethen (2013), Approximation Theory and Approximation Practice,
// chapter 8; Apel (1999), Anisotropic Finite Elements: Local Estimates and Applications, chapter 4 (edges);
// Li (2018), Numerische Mathematik 139 (cuts of tetrahedra towards edges).

#include <cstdint>
#include <vector>

#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {

/// Fraction of the height of cells at a rim that remains when layer 0, 1, ... is cut off: 1/4 for one layer;
/// 1/2, 1/4 and 1/8 for three. After all layers 4^-layers of the height remains.
double layer_share(int layer, int layers);

/// Highest order that passes give to cells at a rim: there the error falls only as 1/p², and estimates of
/// order 3 see a third of it.
inline constexpr std::int8_t order_at_rims = 2;

struct EdgeLayers {
  Mesh mesh;                   ///< regions as before, orders of elements at rims at most order_at_rims
  std::vector<Index> parents;  ///< [cells] the cell that each is a part of, ascending
};

/// Cuts cells at rims, layer by layer, each time at the layer_share of their height. Edges that join vertices
/// of two rims are halved first. Curved cells stay on their surfaces.
/// @param rims [edges of build_topology(mesh)] @param layers >= 0
EdgeLayers add_edge_layers(const Mesh& mesh, const Topology& topology, const std::vector<char>& rims,
                           int layers);

}  // namespace curlew::mesh
