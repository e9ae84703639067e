// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/node_velocity.hpp"

#include "base/error.hpp"
#include "io/hdf5.hpp"

namespace curlew::mesh {

std::vector<char> nodes_on_surfaces(const Mesh& mesh, const Topology& topology) {
  std::vector<Index> region(std::size_t(mesh.num_cells()), -1);
  for (std::size_t v = 0; v < mesh.volumes.size(); ++v)
    for (const Index c : mesh.volumes[v].entities) region[std::size_t(c)] = Index(v);
  std::vector<char> on(mesh.nodes.size(), 0);
  const auto add_face = [&](Index cell, int face) {
    const Index* n = mesh.cell(cell);
    for (int v = 0; v < 4; ++v)
      if (v != face) on[std::size_t(n[v])] = 1;
    for (std::size_t e = 0; mesh.geometry_order == 2 && e < 6; ++e)
      if (cell_edge_vertices[e][0] != face && cell_edge_vertices[e][1] != face) on[std::size_t(n[4 + e])] = 1;
  };
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int f = 0; f < 4; ++f) {
      const auto& [a, b] =
          topology.face_cells[std::size_t(topology.cell_faces[std::size_t(c)][std::size_t(f)])];
      if (b < 0 || region[std::size_t(a)] != region[std::size_t(b)]) add_face(c, f);
    }
  for (const Index n : mesh.triangles) on[std::size_t(n)] = 1;
  return on;
}

void extend_inwards(const Mesh& mesh, const std::vector<char>& on_surface,
                    std::vector<Vec3<double>>& velocity) {
  constexpr int sweeps = 60;  // the motion then reaches so many cells deep; its shape inside does not matter
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::vector<Vec3<double>> sums(velocity.size());
    std::vector<int> counts(velocity.size(), 0);
    for (Index c = 0; c < mesh.num_cells(); ++c)
      for (const auto& [i, j] : cell_edge_vertices) {
        const auto a = std::size_t(mesh.cell(c)[i]), b = std::size_t(mesh.cell(c)[j]);
        sums[a] += velocity[b], ++counts[a];
        sums[b] += velocity[a], ++counts[b];
      }
    for (std::size_t n = 0; n < velocity.size(); ++n)
      if (!on_surface[n] && counts[n] > 0) velocity[n] = (1.0 / counts[n]) * sums[n];
  }
  for (Index c = 0; mesh.geometry_order == 2 && c < mesh.num_cells(); ++c)
    for (std::size_t e = 0; e < 6; ++e) {
      const Index* n = mesh.cell(c);
      const auto [i, j] = cell_edge_vertices[e];
      if (!on_surface[std::size_t(n[4 + e])])
        velocity[std::size_t(n[4 + e])] = 0.5 * (velocity[std::size_t(n[i])] + velocity[std::size_t(n[j])]);
    }
}

void write_velocity(const std::vector<Vec3<double>>& velocity, const std::string& path) {
  auto file = io::H5File::create(path);
  file.write_raw("velocity", reinterpret_cast<const double*>(velocity.data()), {velocity.size(), 3},
                 {"m/unit", "of nodes on surfaces by a number of the geometry (node, xyz)"});
  file.close();
}

std::vector<Vec3<double>> read_velocity(const std::string& path) {
  const auto values = io::H5File::open(path).read<double>("velocity");
  std::vector<Vec3<double>> velocity(values.size() / 3);
  for (std::size_t i = 0; i < velocity.size(); ++i)
    velocity[i] = {values[3 * i], values[3 * i + 1], values[3 * i + 2]};
  return velocity;
}

}  // namespace curlew::mesh
