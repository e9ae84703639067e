// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Triangles of curved surfaces that Gmsh leaves much longer than their size.

#include <functional>
#include <string>

#include "mesh/gmsh_session.hpp"

namespace curlew::mesh {

/// Size that is asked for at a place of an entity, in units of the model; infinite where none is.
using AskedSize = std::function<double(int dimension, int tag, double x, double y, double z)>;

/// Meshes curved surfaces with edges of more than 1.5 sizes again by local changes (MeshAdapt). Gmsh's
/// default way, Delaunay's frontal one, leaves edges of up to 2.1 sizes around the poles of a sphere. The
/// error of the curved triangles' volume is of fourth order in them: one patch of a ball had more of it than
/// all others together, which moved the resonances of a dielectric one, and finer sizes did not end it.
/// Surfaces of many triangles stay as they are: these long edges are short against the surface's radius, and
/// local changes take twenty times as long as the default way.
/// The session has a mesh of triangles and no cells.
void remake_long_edges(GmshSession& session, const std::string& path, const AskedSize& asked);

}  // namespace curlew::mesh
