// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How slowly results converge by the order on a mesh, by the edges at which fields are singular.

#include "fem/model/model.hpp"
#include "fields/pattern_error.hpp"
#include "mesh/mesh.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

/// fields::rim_ratio where metal has rims, edge_ratio where it has edges that point into the field, or an
/// interface of two media an edge; else smooth_ratio.
double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model);
/// The same of sound in rigid walls: all outer faces.
double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology);

}  // namespace curlew::fem
