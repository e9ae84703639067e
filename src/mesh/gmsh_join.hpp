// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Parts of a geometry that touch or cross but do not share faces, edges and points there.

#include <string>

#include <gmsh.h>

#include "base/error.hpp"
#include "mesh/mesh.hpp"

namespace curlew::mesh {

class RegionsOverlap : public InputError {
  using InputError::InputError;
};

/// Volumes of the model, and surfaces that bound none.
gmsh::vectorpair model_parts();

/// False if triangles touch without common nodes (those of a mesh without cells; else outer faces of cells,
/// and surfaces that are no faces of cells), or cells lie in others.
/// @param on_surfaces only the triangles count, as in a mesh without cells
bool are_joined(const Mesh& mesh, bool on_surfaces);

/// Joins the parts of a script's OpenCASCADE model, as its command BooleanFragments does; physical groups
/// stay those of the same volumes and surfaces.
/// @param may_share surfaces may have faces in common afterwards
/// @return false if there is nothing to join, the script names entities by number (fields of sizes), or
/// regions would then share a surface that they may not; the model may have changed
/// @throws RegionsOverlap naming two regions that have a volume in common
bool join_parts(const std::string& path, bool may_share);

}  // namespace curlew::mesh
