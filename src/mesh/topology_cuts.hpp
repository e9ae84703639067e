// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mesh/topology.hpp"

namespace curlew::mesh {

/// Doubles the faces and edges of mesh.cuts that both sides still share because all of their nodes lie on
/// the rim, and finds the face of every triangle of a cut. New numbers follow the others.
void separate_cuts(const Mesh& mesh, Topology& topology);

}  // namespace curlew::mesh
