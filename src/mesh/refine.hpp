// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Every triangle in four, every tetrahedron in eight, at the middle nodes of a mesh of second order.

#include <optional>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Middle nodes become vertices; new middle nodes lie on the old curved edges and faces. The octahedron that
/// four corners leave of a tetrahedron is cut along its shortest diagonal. Regions keep their names.
/// @param mesh of geometry order 2
/// Source: Bey (1995), Tetrahedral grid refinement, Computing 55(4).
Mesh refine(const Mesh& mesh);

/// What methods on flat elements solve next to see their error: straight, elements of half the size. Of a
/// mesh of second order straighten(refine(mesh)), beside straighten(mesh); of a straight one its vertices and
/// the middle nodes of second_order(mesh), all on the surface, so that the height of the facets falls by four
/// as the rest of the error does.
Mesh refined_flat(const Mesh& mesh);

/// straighten(mesh) with its nodes moved from the quadratic surface to the one that it stands for
/// (facet_gap.hpp), which halved elements on the same quadratic surface do not see. Nothing of straight
/// meshes, whose halved elements see it, and of bodies without curved surfaces.
std::optional<Mesh> moved_flat(const Mesh& mesh);

}  // namespace curlew::mesh
