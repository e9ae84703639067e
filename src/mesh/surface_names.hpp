// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which surfaces of a mesh a `region` of ie-solve means.

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// The surface of that name; all that match a pattern with `*` (any characters) and `?` (one); or the
/// surfaces around a volume of that name. Empty if there is none.
std::vector<std::string> named_surfaces(const Mesh& mesh, const std::string& stated);

/// Number of faces around volumes, those between two of them left out, that are in no surface of the mesh.
/// @param stated names of one body; only those of volumes without named surfaces count
std::size_t faces_without_surface(const Mesh& mesh, const std::vector<std::string>& stated);

}  // namespace curlew::mesh
