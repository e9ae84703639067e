// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The two bodies of the chapter's section 19.6 without Gmsh: structured meshes of about the same numbers.

#include "ie/surface_mesh.hpp"
#include "mesh/mesh.hpp"

namespace curlew::bench {

/// Twelve discs of 200 nm diameter and 50 nm height in a ring, 25 nm apart (figure 19.7): boxes whose squares
/// are drawn out to discs, 12 * 6 n^2 m tetrahedra.
mesh::Mesh resonators(int n, int m);

/// Four square films of 1 um, 100 nm apart, with five by five holes of 100 nm (figure 19.8): squares of side
/// 1 um/n, halved, without those in a hole.
ie::SurfaceMesh perforated_films(int n);

}  // namespace curlew::bench
