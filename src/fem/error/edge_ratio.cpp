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

bool has_sharp_edge(const mesh::Mesh& mesh, const mesh::Topology& topology, const std::vector<char>& faces) {
  const auto sharp = mesh::rims_of_faces(mesh, topology, faces, mesh::sharp_angle);
  return std::find(sharp.begin(), sharp.end(), 1) != sharp.end();
}

double ratio(bool is_sharp) {
  return is_sharp ? fields::edge_ratio : fields::smooth_ratio;
}

}  // namespace

double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model) {
  if (model.order < 3) return ratio(false);
  const auto metal = conductor_triangles(model.boundaries, mesh);
  const auto sharp = mesh::rims(mesh, topology, metal, mesh::sharp_angle);
  return ratio(std::find(sharp.begin(), sharp.end(), 1) != sharp.end() ||
               has_sharp_edge(mesh, topology, interfaces(mesh, topology, model)));
}

double least_ratio(const mesh::Mesh& mesh, const mesh::Topology& topology, int order) {
  if (order < 3) return ratio(false);
  std::vector<char> walls(std::size_t(topology.num_faces()));
  for (std::size_t f = 0; f < walls.size(); ++f) walls[f] = topology.face_cells[f][1] < 0;
  return ratio(has_sharp_edge(mesh, topology, walls));
}

}  // namespace curlew::fem
