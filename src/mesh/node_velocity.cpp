// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/node_velocity.hpp"

#include "base/error.hpp"
#include "io/hdf5.hpp"

namespace curlew::mesh {
namespace {

/// The ends of the edges at each vertex that is not on a surface, once for each cell with the edge.
struct Neighbours {
  std::vector<std::size_t> inside;  ///< vertices
  std::vector<std::size_t> first;   ///< [inside + 1] offsets of their neighbours
  std::vector<std::size_t> nodes;
};

Neighbours neighbours_inside(const Mesh& mesh, const std::vector<char>& on_surface) {
  std::vector<std::vector<std::size_t>> of(on_surface.size());
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const auto& [i, j] : cell_edge_vertices) {
      const auto a = std::size_t(mesh.cell(c)[i]), b = std::size_t(mesh.cell(c)[j]);
      if (!on_surface[a]) of[a].push_back(b);
      if (!on_surface[b]) of[b].push_back(a);
    }
  Neighbours result{{}, {0}, {}};
  for (std::size_t n = 0; n < of.size(); ++n) {
    if (of[n].empty()) continue;
    result.inside.push_back(n);
    result.nodes.insert(result.nodes.end(), of[n].begin(), of[n].end());
    result.first.push_back(result.nodes.size());
  }
  return result;
}

/// Sets each vertex to the mean of its neighbours, all at once.
void smooth(const Neighbours& neighbours, Velocity& velocity) {
  Velocity means(neighbours.inside.size());
  for (std::size_t i = 0; i < means.size(); ++i) {
    const std::size_t begin = neighbours.first[i], end = neighbours.first[i + 1];
    for (std::size_t k = begin; k < end; ++k) means[i] += velocity[neighbours.nodes[k]];
    means[i] = (1.0 / double(end - begin)) * means[i];
  }
  for (std::size_t i = 0; i < means.size(); ++i) velocity[neighbours.inside[i]] = means[i];
}

}  // namespace

std::vector<char> nodes_of_triangles(const Mesh& mesh) {
  std::vector<char> on(mesh.nodes.size(), 0);
  for (const Index n : mesh.triangles) on[std::size_t(n)] = 1;
  return on;
}

std::vector<char> nodes_on_surfaces(const Mesh& mesh, const Topology& topology) {
  std::vector<Index> region(std::size_t(mesh.num_cells()), -1);
  for (std::size_t v = 0; v < mesh.volumes.size(); ++v)
    for (const Index c : mesh.volumes[v].entities) region[std::size_t(c)] = Index(v);
  std::vector<char> on = nodes_of_triangles(mesh);
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
  return on;
}

void extend_inwards(const Mesh& mesh, const std::vector<char>& on_surface,
                    std::vector<Velocity>& velocities) {
  constexpr int sweeps = 60;  // number of layers of cells that move
  const Neighbours neighbours = neighbours_inside(mesh, on_surface);
  for (Velocity& velocity : velocities) {
    for (int sweep = 0; sweep < sweeps; ++sweep) smooth(neighbours, velocity);
    for (Index c = 0; mesh.geometry_order == 2 && c < mesh.num_cells(); ++c)
      for (std::size_t e = 0; e < 6; ++e) {
        const Index* n = mesh.cell(c);
        const auto [i, j] = cell_edge_vertices[e];
        if (!on_surface[std::size_t(n[4 + e])])
          velocity[std::size_t(n[4 + e])] = 0.5 * (velocity[std::size_t(n[i])] + velocity[std::size_t(n[j])]);
      }
  }
}

void write_velocities(const std::vector<Velocity>& velocities, const std::string& path) {
  std::vector<double> values;
  for (const Velocity& velocity : velocities)
    for (const Vec3<double>& v : velocity) values.insert(values.end(), {v.x, v.y, v.z});
  auto file = io::H5File::create(path);
  file.write_raw("velocity", values.data(),
                 {velocities.size(), velocities.empty() ? 0 : velocities[0].size(), 3},
                 {"m/unit", "of nodes on surfaces by parameters of the geometry (number, node, xyz)"});
  file.close();
}

std::vector<Velocity> read_velocities(const std::string& path) {
  io::Shape shape;
  const auto values = io::H5File::open(path).read<double>("velocity", &shape);
  if (shape.size() != 3 || shape[2] != 3)
    throw InputError(path + ": velocity: must have the dimensions number, node, xyz");
  std::vector<Velocity> velocities(shape[0], Velocity(shape[1]));
  std::size_t at = 0;
  for (Velocity& velocity : velocities)
    for (Vec3<double>& v : velocity) {
      v = {values[at], values[at + 1], values[at + 2]};
      at += 3;
    }
  return velocities;
}

}  // namespace curlew::mesh
