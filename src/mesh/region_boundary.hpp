// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A part of a mesh by the names of its regions, and the surface around it.

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// A separate mesh of the body, and its boundary triangles.
struct Body {
  Mesh mesh;
  std::vector<Index> boundary;
};

/// The cells of a body and the named triangles on them.
/// @param names volumes and closed surfaces; empty: all volumes, or all surfaces of a mesh without cells
/// @param hollow volumes of the body whose cells are left out; their surfaces become regions of that name
/// @throws InputError for a name that is no region
Body keep_body(const Mesh& mesh, std::vector<std::string> names, const std::vector<std::string>& hollow);

/// The closed pieces of a surface that no other piece encloses.
/// @throws InputError if it is not closed
std::vector<std::vector<Index>> outer_pieces(const Mesh& mesh, const std::vector<Index>& boundary);

}  // namespace curlew::mesh
