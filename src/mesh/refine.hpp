// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Uniform refinement: every triangle into four, every tetrahedron into eight, at the middle nodes of a mesh
// of second order.

#include <optional>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Middle nodes become vertices; new middle nodes lie on the old curved edges and faces. The inner octahedron
/// of a tetrahedron is divided along its shortest diagonal. Regions keep their names.
/// @param mesh of geometry order 2
/// Source: Bey (1995), Tetrahedral grid refinement, Computing 55(4).
Mesh refine(const Mesh& mesh);

/// Straight mesh with elements of half the size, for error estimates of methods on flat elements. For a mesh
/// of second order straighten(refine(mesh)), compared with straighten(mesh); for a straight one its vertices
/// and the middle nodes of second_order(mesh), all on the surface, so that the height of the facets falls by
/// four like the rest of the error.
Mesh refined_flat(const Mesh& mesh);

/// facet_gaps(mesh) of the nodes of straighten(mesh) [m].
std::vector<Vec3<double>> flat_gaps(const Mesh& mesh);

/// straighten(mesh) with its nodes moved from the quadratic surface to the true one that it approximates
/// (facet_gap.hpp), an error that halved elements on the same quadratic surface do not show. Empty for
/// straight meshes, whose halved elements show it, and for bodies without curved surfaces.
std::optional<Mesh> moved_flat(const Mesh& mesh);

}  // namespace curlew::mesh
