// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh for ParaView.

#include <string>

#include "io/provenance.hpp"
#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Cells with the arrays `volume` (number of the first volume region they are in), `shape` (mean ratio, 1
/// best) and `jacobian` (least over greatest determinant); triangles of named surfaces with `surface` (number
/// of the first). -1 where a number does not apply.
/// @throws ResourceError if the file cannot be written
void write_mesh_vtk(const Mesh& mesh, const std::string& path, const io::Provenance& provenance);

}  // namespace curlew::mesh
