// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// One attempt to mesh Gmsh's current model: sizes, triangles or tetrahedra, and their curving.

#include <string>

#include "base/error.hpp"
#include "mesh/gmsh_import.hpp"
#include "mesh/gmsh_open.hpp"

namespace curlew::mesh {

constexpr double least_around_circle = 6;

/// Coarse facets of curved surfaces close to each other, as of a thin coat, cross, and coarse closed surfaces
/// get lost. Gmsh makes no further mesh after its error.
class TooCoarse : public InputError {
 public:
  TooCoarse(const std::string& what, bool surface_lost) : InputError(what), is_surface_lost(surface_lost) {}
  bool is_surface_lost;
};

struct Attempt {
  double around_circle = least_around_circle;  ///< cells at least
  bool adapts = false;                         ///< triangles by local changes, not by Gmsh's default way
  bool is_last = true;                         ///< a mesh with such faults is taken
};

/// Straight tetrahedra. @throws TooCoarse if the attempt is not the last; InputError, ResourceError
void make_cells(GmshSession& session, const std::string& path, FileKind kind, const ImportOptions& options,
                const Attempt& attempt, double metres);
/// The same of triangles, which Gmsh lets cross.
void make_triangles(GmshSession& session, const std::string& path, FileKind kind,
                    const ImportOptions& options, const Attempt& attempt, double metres);

/// Raises straight cells to second order. A few inverted curved cells are flattened; if curved cells were
/// requested, only where that changes the surface little. Otherwise Gmsh untangles them, with all nodes on
/// their surfaces; its optimiser sorts by addresses, so that no two of its meshes are the same. If that fails
/// and curved cells were not requested, all cells become straight.
Imported curve_cells(GmshSession& session, const std::string& path, double metres, bool is_asked);

}  // namespace curlew::mesh
