// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The triangles of a mesh at which bodies end.

#include <array>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

struct SurfaceFacet {
  std::array<Index, 3> corner{};
  std::array<Index, 3> middle{};  ///< nodes of triangle_edge_vertices; for a mesh of second order only
};

/// Named triangles, faces between cells of different regions and outer faces; each once.
/// @throws InputError as build_topology
std::vector<SurfaceFacet> surface_facets(const Mesh& mesh);

}  // namespace curlew::mesh
