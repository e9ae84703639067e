// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Straight meshes of curved bodies, for methods on flat triangles and tetrahedra.

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// The straight mesh of a second-order one whose bodies keep their volumes: corners on named surfaces,
/// between regions and on the outside move off the surface, so that the flat triangles preserve the volume.
/// With corners on a convex surface all facets lie inside it, and most of the error of a scattering problem
/// is that of a smaller body: a conducting sphere with 12 edges per wavelength has an error of 0.18 dB, and
/// of 0.005 dB if its facets enclose its volume (docs/measured/ie.md).
/// @return geometry order 1, same numbers of cells and triangles; a straight mesh is returned unchanged
/// @note To first order in the height of the arcs: a facet of area A and unit normal n between corners a, b,
/// c and middles m_e lacks A/3 n . sum_e (m_e - mean of the edge's ends), as int λ_a λ_b = A/12. Shifts d of
/// its corners add A/3 n . (d_a + d_b + d_c): every node gets the least-squares d of its facets, weighted by
/// area, which does not move flat sides and straight edges between them.
Mesh straighten(const Mesh& mesh);

/// Keeps only corners of cells and triangles, and the nodes that they use. @param nodes positions of the
/// mesh's nodes, before unused ones are removed
/// @return geometry order 1
Mesh corners_only(const Mesh& mesh, const std::vector<Vec3<double>>& nodes);

}  // namespace curlew::mesh
