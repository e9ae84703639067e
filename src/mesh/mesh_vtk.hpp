// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A mesh for ParaView.

#include <string>
#include <vector>

#include "io/provenance.hpp"
#include "mesh/mesh.hpp"

namespace curlew::mesh {

/// Cells with the arrays `volume` (number of the first volume region they are in), `shape` (mean ratio, 1
/// best) and `jacobian` (least over greatest determinant); triangles of named surfaces with `surface` (number
/// of the first). -1 where a number does not apply.
/// @throws ResourceError if the file cannot be written
void write_mesh_vtk(const Mesh& mesh, const std::string& path, const io::Provenance& provenance);

/// Numbers of regions with their names: "0 walls, 1 port1".
std::string region_names(const std::vector<Region>& regions);
/// Number of the first region that each of `count` entities is in; -1 for none.
std::vector<double> first_regions(const std::vector<Region>& regions, std::size_t count);

/// The triangles of named surfaces alone, with the array `surface`: metal and ports beside a field.
/// @throws ResourceError if the file cannot be written
void write_surfaces_vtk(const Mesh& mesh, const std::string& path, const io::Provenance& provenance);

}  // namespace curlew::mesh
