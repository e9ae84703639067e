// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Convergence of results with the order of elements on a mesh, limited by edges at which fields are singular.

#include "fem/model/model.hpp"
#include "fields/pattern_error.hpp"
#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

/// Least ratio of the changes of two orders: fields::rim_ratio if metal has rims, edge_ratio if metal has
/// convex edges or an interface of media has an edge; else smooth_ratio.
double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model);
/// The same for sound with rigid walls: all outer faces.
double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology);

}  // namespace curlew::fem
