// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh of second order from a straight one, with middle nodes on the curved surface that its facets
// approximate, estimated from the mesh only.

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Middle nodes of edges on surfaces (named, between regions, outer) lie above the chord by
///   h = (n_b - n_a)·(x_b - x_a) / 8
/// along the normal of every smooth surface that meets there, n_a and n_b its normals at the ends
/// (corner_normals.hpp); along the rim of an open surface by the tangents of the rim, l/8 (t_a - t_b), where
/// it turns by less than smooth_turn at both ends. All others lie on the chord.
/// @return geometry order 2; a mesh of second order is returned unchanged
/// @note An arc of a circle: n_b - n_a = (x_b - x_a)/R, h = l²/8R, its sagitta to second order.
Mesh second_order(const Mesh& mesh);

}  // namespace curlew::mesh
