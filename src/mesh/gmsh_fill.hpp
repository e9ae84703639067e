// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Tetrahedra between triangulated surfaces, by Gmsh.

#include <string>

#include "mesh/surround.hpp"

namespace curlew::mesh {

/// A Filler whose messages start with `name`.
/// @param size_field path of sizes of the cells (size_field.hpp); empty: the sizes of the surfaces' triangles
/// @throws InputError (from the filler) where surfaces meet or Gmsh finds no cells
Filler gmsh_filler(const std::string& name, const std::string& size_field = {});

}  // namespace curlew::mesh
