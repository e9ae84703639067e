// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/config.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

/// Cuts the mesh along the surfaces of [[boundary]] tables that lie inside of it and separate its sides:
/// magnetic walls, impedances and layers that are not thin. Call it after the mesh is complete (grown layers)
/// and before its topology is made.
/// @throws InputError with file and line
void split_surfaces(const io::Config& config, mesh::Mesh& mesh);

}  // namespace curlew::fem
