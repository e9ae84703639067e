// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/edge_ratio.hpp"

#include <algorithm>

#include "fem/space.hpp"
#include "mesh/rims.hpp"

namespace curlew::fem {
namespace {

/// Faces between two media.
std::vector<char> interfaces(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model) {
  const auto medium = material_of_cells(model, mesh);
  std::vector<char> faces(std::size_t(topology.num_faces()));
  for (std::size_t f = 0; f < faces.size(); ++f) {
    const auto& [a, b] = topology.face_cells[f];
    if (b < 0) continue;
    const Index p = medium[std::size_t(a)], q = medium[std::size_t(b)];
    faces[f] = p != q && !same_medium(model.materials[std::size_t(p)], model.materials[std::size_t(q)]);
  }
  return faces;
}

/// Ratio by the sharpest edge of these faces.
double ratio_at(const mesh::Mesh& mesh, const mesh::Topology& topology, const std::vector<char>& faces) {
  const auto is_there = [&](double angle) {
    const auto edges = mesh::rims_of_faces(mesh, topology, faces, angle);
    return std::find(edges.begin(), edges.end(), 1) != edges.end();
  };
  if (!is_there(mesh::sharp_angle)) return fields::smooth_ratio;
  return is_there(mesh::rim_angle) ? fields::rim_ratio : fields::edge_ratio;
}

}  // namespace

double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model) {
  std::vector<char> metal(std::size_t(topology.num_faces()));
  for (const Index t : conductor_triangles(model.boundaries, mesh))
    metal[std::size_t(topology.triangle_face[std::size_t(t)])] = 1;
  return std::max(ratio_at(mesh, topology, metal),
                  ratio_at(mesh, topology, interfaces(mesh, topology, model)));
}

double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology) {
  std::vector<char> walls(std::size_t(topology.num_faces()));
  for (std::size_t f = 0; f < walls.size(); ++f) walls[f] = topology.face_cells[f][1] < 0;
  return ratio_at(mesh, topology, walls);
}

}  // namespace curlew::fem
