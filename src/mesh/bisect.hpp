// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Bisects triangles of surfaces until they have the sizes of a size field: for adaptive runs without a
// geometry that can be meshed again.

#include "mesh/size_field.hpp"

namespace curlew::mesh {

/// Each triangle that is too large is bisected at the middle of its longest edge, with its neighbours, which
/// are bisected at their longest edges first: angles stay above half of the least one. New nodes lie on the
/// curved surface: of straight meshes that of second_order(mesh). Regions keep their names.
/// @param field of triangles, its mesh without cells
/// @returns geometry order of the field's mesh
/// Source: Rivara (1984), International Journal for Numerical Methods in Engineering 20(4), 745; Rosenberg
/// and Stenger (1975), Mathematics of Computation 29, 390 (angles).
Mesh bisected(const SizeField& field);

}  // namespace curlew::mesh
