// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Sizes that the cells of the next mesh of a geometry should have, stated on the cells of the last one: what
// an adaptive run tells em-mesh. Members of the file: the group mesh (mesh_file.hpp) and cell_size.

#include <string>
#include <vector>

#include "mesh/mesh.hpp"

namespace curlew::io {
class H5Group;
}

namespace curlew::mesh {

struct SizeField {
  Mesh mesh;
  std::vector<double> sizes;  ///< [num_cells] length of edges [m]
};

void write_size_field(const SizeField& field, io::H5Group& file);
/// @throws InputError if the file is missing, truncated or no size field
SizeField read_size_field(const std::string& path);

/// Mean of the three shortest edges of a straight cell [m]: its size, by which tall cells of extruded layers
/// count as what they are across.
double cell_size(const Mesh& mesh, Index cell);

/// Sizes at the nodes [m], the geometric mean over the cells around each; 0 at nodes that are no vertex.
std::vector<double> nodal_sizes(const SizeField& field);

}  // namespace curlew::mesh
