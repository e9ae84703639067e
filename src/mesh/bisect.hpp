// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Triangles of surfaces cut in two until they have the sizes that a field asks for: what an adaptive run does
// where there is no geometry to mesh again.

#include "mesh/size_field.hpp"

namespace curlew::mesh {

/// Each triangle that is too large is cut through the middle of its longest edge, and its neighbours with it,
/// first through theirs: angles stay above half of the least there was. New nodes lie on the curved surface:
/// of straight meshes that of second_order(mesh). Regions keep their names.
/// @param field of triangles, its mesh without cells
/// @returns geometry order of the field's mesh
/// Source: Rivara (1984), International Journal for Numerical Methods in Engineering 20(4), 745; Rosenberg
/// and Stenger (1975), Mathematics of Computation 29, 390 (angles).
Mesh bisected(const SizeField& field);

}  // namespace curlew::mesh
