// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/size_field.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "io/hdf5.hpp"
#include "mesh/mesh_file.hpp"

namespace curlew::mesh {

void write_size_field(const SizeField& field, io::H5Group& file) {
  auto group = file.create_group("mesh");
  write_mesh(field.mesh, group);
  file.write("cell_size", field.sizes, {"m", "edges that the next mesh should have here (cell)"});
}

SizeField read_size_field(const std::string& path) {
  const auto file = io::H5File::open(path);
  SizeField field{read_mesh(file.group("mesh")), file.read<double>("cell_size")};
  if (field.sizes.size() != std::size_t(field.mesh.num_cells()))
    throw InputError(path + ": cell_size must have a value for every cell of the mesh in it");
  for (const double size : field.sizes)
    if (!(size > 0) || !std::isfinite(size)) throw InputError(path + ": cell_size must be positive");
  return field;
}

double cell_size(const Mesh& mesh, Index cell) {
  const Index* n = mesh.cell(cell);
  std::array<double, 6> lengths{};
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [a, b] = cell_edge_vertices[e];
    lengths[e] = norm(mesh.nodes[std::size_t(n[a])] - mesh.nodes[std::size_t(n[b])]);
  }
  std::sort(lengths.begin(), lengths.end());
  return (lengths[0] + lengths[1] + lengths[2]) / 3;
}

std::vector<double> nodal_sizes(const SizeField& field) {
  std::vector<double> logs(field.mesh.nodes.size()), counts(logs.size());
  for (Index c = 0; c < field.mesh.num_cells(); ++c)
    for (int v = 0; v < 4; ++v) {
      const auto node = std::size_t(field.mesh.cell(c)[v]);
      logs[node] += std::log(field.sizes[std::size_t(c)]), ++counts[node];
    }
  for (std::size_t i = 0; i < logs.size(); ++i) logs[i] = counts[i] > 0 ? std::exp(logs[i] / counts[i]) : 0;
  return logs;
}

}  // namespace curlew::mesh
