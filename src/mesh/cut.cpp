// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/cut.hpp"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "mesh/star.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {
namespace {

/// Faces of the triangles that have cells on both sides, by face; each with the first triangle on it.
std::map<Index, Index> inner_faces(const Topology& topology, std::span<const Index> triangles) {
  std::map<Index, Index> faces;
  for (const Index t : triangles) {
    const Index face = topology.triangle_face[std::size_t(t)];
    if (topology.face_cells[std::size_t(face)][1] >= 0) faces.emplace(face, t);
  }
  return faces;
}

/// Nodes of a cell's local face: its vertices and, on curved meshes, the middles of its edges.
std::vector<Index> nodes_of_face(const Mesh& mesh, Index cell, int local) {
  const auto& v = cell_face_vertices[std::size_t(local)];
  const Index* nodes = mesh.cell(cell);
  std::vector<Index> out{nodes[v[0]], nodes[v[1]], nodes[v[2]]};
  if (mesh.geometry_order == 1) return out;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [a, b] = cell_edge_vertices[e];
    if (a != local && b != local) out.push_back(nodes[4 + e]);
  }
  return out;
}

/// Indices in mesh.cells of the nodes that a cut may duplicate.
using Places = std::map<Index, std::vector<Offset>>;

Places places_on(const Mesh& mesh, const Topology& topology, const std::map<Index, Index>& cut) {
  std::vector<char> marked(mesh.nodes.size(), 0);
  for (const auto& [face, triangle] : cut) {
    const Index cell = topology.face_cells[std::size_t(face)][0];
    for (const Index n : nodes_of_face(mesh, cell, local_face(topology, cell, face)))
      marked[std::size_t(n)] = 1;
  }
  Places places;
  for (std::size_t p = 0; p < mesh.cells.size(); ++p)
    if (marked[std::size_t(mesh.cells[p])]) places[mesh.cells[p]].push_back(Offset(p));
  return places;
}

/// The part of its node's star that each index belongs to, [indices of the node].
std::vector<int> parts_at(const Mesh& mesh, const Topology& topology, const std::map<Index, Index>& cut,
                          Index node, const std::vector<Offset>& places) {
  std::vector<Index> cells;
  for (const Offset p : places) cells.push_back(Index(p / Offset(mesh.nodes_per_cell())));
  return parts_of_star(topology, cells, [&](Index cell, int local) {
    if (cut.count(topology.cell_faces[std::size_t(cell)][std::size_t(local)]) > 0) return false;
    const auto nodes = nodes_of_face(mesh, cell, local);
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
  });
}

/// Gives every part of a star its node. @param[out] cells the new mesh.cells
std::vector<Vec3<double>> double_nodes(const Mesh& mesh, const Topology& topology,
                                       const std::map<Index, Index>& cut, std::vector<Index>& cells) {
  const Places places = places_on(mesh, topology, cut);
  std::map<Index, std::vector<int>> parts;
  std::vector<Index> first(mesh.nodes.size() + 1, 0);
  for (const auto& [node, where] : places) {
    parts[node] = parts_at(mesh, topology, cut, node, where);
    first[std::size_t(node) + 1] = *std::max_element(parts[node].begin(), parts[node].end());
  }
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n) first[n + 1] += first[n] + 1;
  std::vector<Vec3<double>> nodes(std::size_t(first.back()));
  for (std::size_t n = 0; n < mesh.nodes.size(); ++n)
    std::fill(nodes.begin() + first[n], nodes.begin() + first[n + 1], mesh.nodes[n]);
  cells.resize(mesh.cells.size());
  for (std::size_t p = 0; p < cells.size(); ++p) cells[p] = first[std::size_t(mesh.cells[p])];
  for (const auto& [node, where] : places)
    for (std::size_t i = 0; i < where.size(); ++i) cells[where[i]] += parts[node][i];
  return nodes;
}

/// Rewrites a triangle's nodes as those of a cell beside it.
void take_nodes(const Topology& topology, const std::vector<Index>& old_cells, Index face, int side,
                Index triangle, Mesh& mesh) {
  const Index cell = topology.face_cells[std::size_t(face)][std::size_t(side)];
  const auto n = std::size_t(mesh.nodes_per_cell());
  const auto begin = old_cells.begin() + std::ptrdiff_t(std::size_t(cell) * n);
  const auto m = std::size_t(mesh.nodes_per_triangle());
  for (std::size_t i = 0; i < m; ++i) {
    Index& node = mesh.triangles[std::size_t(triangle) * m + i];
    node = mesh.cells[std::size_t(cell) * n +
                      std::size_t(std::find(begin, begin + std::ptrdiff_t(n), node) - begin)];
  }
}

/// The second side of a cut triangle, in all of its regions. @returns its number
Index add_twin(Mesh& mesh, Index triangle) {
  const Index twin = mesh.num_triangles();
  const auto m = std::size_t(mesh.nodes_per_triangle());
  for (std::size_t i = 0; i < m; ++i) {
    const Index node = mesh.triangles[std::size_t(triangle) * m + i];
    mesh.triangles.push_back(node);
  }
  for (Region& surface : mesh.surfaces)
    if (std::binary_search(surface.entities.begin(), surface.entities.end(), triangle))
      surface.entities.push_back(twin);
  return twin;
}

}  // namespace

void cut_along(Mesh& mesh, std::span<const Index> triangles, bool coupled) {
  const Topology topology = build_topology(mesh);
  const auto cut = inner_faces(topology, triangles);
  if (cut.empty()) return;
  std::vector<Index> cells;
  mesh.nodes = double_nodes(mesh, topology, cut, cells);
  const std::vector<Index> old_cells = std::exchange(mesh.cells, std::move(cells));
  for (const auto& [face, triangle] : cut) {
    const auto& sides = topology.face_cells[std::size_t(face)];
    mesh.cuts.push_back({{triangle, add_twin(mesh, triangle)}, sides, coupled});
  }
  for (Index t = 0; t < Index(topology.triangle_face.size()); ++t)
    take_nodes(topology, old_cells, topology.triangle_face[std::size_t(t)], 0, t, mesh);
  for (std::size_t i = mesh.cuts.size() - cut.size(); i < mesh.cuts.size(); ++i) {
    const auto& [sides, beside, is_coupled] = mesh.cuts[i];
    take_nodes(topology, old_cells, topology.triangle_face[std::size_t(sides[0])], 1, sides[1], mesh);
  }
}

}  // namespace curlew::mesh
