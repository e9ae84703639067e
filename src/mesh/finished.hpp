// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Files that hold a mesh, in contrast to a geometry that is still to be meshed.

#include <string>

namespace curlew::mesh {

/// By the ending, in capitals too: STL, PLY, Nastran (.bdf, .nas), I-deas (.unv) and Medit (.mesh).
bool is_foreign_mesh(const std::string& path);
/// mesh.h5, Gmsh's .msh, and what is_foreign_mesh names: sizes and orders of cells change nothing in them.
bool is_finished_mesh(const std::string& path);

}  // namespace curlew::mesh
