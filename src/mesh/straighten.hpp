// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Straight meshes of curved bodies, for methods on flat triangles and tetrahedra.

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// The straight mesh of a second-order one whose bodies keep their volumes: corners on named surfaces,
/// between regions and on the outside move off the surface, so that the flat triangles cut away as much as
/// they add. With corners on a convex surface all facets lie inside it, and most of the error of a scattering
/// problem on them is that of a smaller body: a conducting sphere at 12 edges a wavelength is wrong by 0.18
/// dB, and by 0.005 dB when its facets have its volume (docs/measured/ie.md).
/// @return geometry order 1, same numbers of cells and triangles; a straight mesh comes back as it is
/// @note To first order in the height of the arcs: a facet of area A and unit normal n between corners a, b,
/// c and middles m_e lacks A/3 n . sum_e (m_e - mean of the edge's ends), as int λ_a λ_b = A/12. Shifts d of
/// its corners add A/3 n . (d_a + d_b + d_c): every node takes the d that serves its facets best (least
/// squares by area), which leaves flat sides, and straight edges between them, where they are.
Mesh straighten(const Mesh& mesh);

/// Corners of cells and triangles alone, and of the nodes what they use.
/// @param nodes places of the mesh's nodes, before unused ones are left out
/// @return geometry order 1
Mesh corners_only(const Mesh& mesh, const std::vector<Vec3<double>>& nodes);

}  // namespace curlew::mesh
