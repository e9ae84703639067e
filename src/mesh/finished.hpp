// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files with a finished mesh, in contrast to geometries.

#include <string>

namespace curlew::mesh {

/// Whether the file ending, in any case, is that of a foreign mesh: STL, PLY, Nastran (.bdf, .nas), I-deas
/// (.unv) and Medit (.mesh).
bool is_foreign_mesh(const std::string& path);
/// mesh.h5, Gmsh's .msh, and what is_foreign_mesh names: their cells cannot be changed by sizes and orders.
bool is_finished_mesh(const std::string& path);

}  // namespace curlew::mesh
