// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A symmetric mesh from its half on one side of a coordinate plane: mesh generators make no symmetric meshes
// of symmetric bodies.

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Adds the mirror image in the plane through the origin across an axis. Nodes in the plane, to 1e-7 of the
/// size of the mesh, are moved into it and belong to both halves, as do triangles all of whose corners lie
/// there. Images belong to the regions of their originals. Nodes and cells are numbered along the curve of
/// order_along_curve.
/// @param axis 0: x, 1: y, 2: z
/// @throws InputError for nodes on both sides, and where none lies in the plane
Mesh mirrored(Mesh half, int axis);

}  // namespace curlew::mesh
