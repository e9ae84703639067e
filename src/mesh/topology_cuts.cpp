// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/topology_cuts.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include "mesh/star.hpp"

namespace curlew::mesh {
namespace {

/// The local face of a cell whose vertices are those of a triangle.
int local_face_of(const Mesh& mesh, Index cell, Index triangle) {
  const Index* nodes = mesh.cell(cell);
  const Index* wanted = mesh.triangle(triangle);
  for (int f = 0; f < 4; ++f) {
    const auto& v = cell_face_vertices[std::size_t(f)];
    if (nodes[v[0]] == wanted[0] && nodes[v[1]] == wanted[1] && nodes[v[2]] == wanted[2]) return f;
  }
  return -1;
}

void separate_faces(const Mesh& mesh, Topology& topology) {
  for (const Cut& cut : mesh.cuts) {
    std::array<int, 2> local{};
    for (std::size_t s = 0; s < 2; ++s) local[s] = local_face_of(mesh, cut.cells[s], cut.triangles[s]);
    auto& faces = topology.cell_faces;
    const Index face = faces[std::size_t(cut.cells[0])][std::size_t(local[0])];
    Index& other = faces[std::size_t(cut.cells[1])][std::size_t(local[1])];
    if (other == face) {
      other = topology.num_faces();
      topology.faces.push_back(topology.faces[std::size_t(face)]);
      topology.face_edges.push_back(topology.face_edges[std::size_t(face)]);
      topology.face_cells.push_back({cut.cells[1], -1});
      topology.face_cells[std::size_t(face)] = {cut.cells[0], -1};
    }
    topology.triangle_face[std::size_t(cut.triangles[0])] = face;
    topology.triangle_face[std::size_t(cut.triangles[1])] = other;
  }
}

/// Indices of the edges of cut faces among the edges of cells, 6 cell + local.
std::map<Index, std::vector<Offset>> places_of_edges(const Mesh& mesh, const Topology& topology) {
  std::vector<char> marked(std::size_t(topology.num_edges()), 0);
  for (const Cut& cut : mesh.cuts)
    for (const Index t : cut.triangles)
      for (const Index e : topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])])
        marked[std::size_t(e)] = 1;
  std::map<Index, std::vector<Offset>> places;
  for (std::size_t c = 0; c < topology.cell_edges.size(); ++c)
    for (std::size_t i = 0; i < 6; ++i)
      if (const Index e = topology.cell_edges[c][i]; marked[std::size_t(e)])
        places[e].push_back(Offset(6 * c + i));
  return places;
}

/// Face f is opposite vertex f: it holds an edge that does not end there.
bool holds_edge(std::size_t local_edge, int local_face) {
  const auto [a, b] = cell_edge_vertices[local_edge];
  return a != local_face && b != local_face;
}

void separate_edges(const Mesh& mesh, Topology& topology) {
  for (const auto& [edge, places] : places_of_edges(mesh, topology)) {
    std::vector<Index> cells;
    for (const Offset p : places) cells.push_back(Index(p / 6));
    const auto parts = parts_of_star(topology, cells, [&, e = edge](Index cell, int f) {
      const auto& edges = topology.cell_edges[std::size_t(cell)];
      return holds_edge(std::size_t(std::find(edges.begin(), edges.end(), e) - edges.begin()), f);
    });
    const Index first = topology.num_edges();
    const int count = 1 + *std::max_element(parts.begin(), parts.end());
    for (int i = 1; i < count; ++i) topology.edges.push_back(topology.edges[std::size_t(edge)]);
    for (std::size_t i = 0; i < places.size(); ++i)
      if (parts[i] > 0)
        topology.cell_edges[std::size_t(places[i] / 6)][std::size_t(places[i] % 6)] = first + parts[i] - 1;
  }
}

/// Edges of all faces of the cells beside the cuts, and of the cells around their edges.
void renew_face_edges(const Mesh& mesh, Topology& topology, Index num_old_edges) {
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto& edges = topology.cell_edges[std::size_t(c)];
    if (std::none_of(edges.begin(), edges.end(), [&](Index e) { return e >= num_old_edges; })) continue;
    for (std::size_t f = 0; f < 4; ++f) {
      const auto& v = cell_face_vertices[f];
      for (std::size_t e = 0; e < 3; ++e) {
        const auto [a, b] = triangle_edge_vertices[e];
        const std::array<int, 2> wanted{v[std::size_t(a)], v[std::size_t(b)]};
        const auto at = std::find(cell_edge_vertices.begin(), cell_edge_vertices.end(), wanted) -
                        cell_edge_vertices.begin();
        topology.face_edges[std::size_t(topology.cell_faces[std::size_t(c)][f])][e] = edges[std::size_t(at)];
      }
    }
  }
}

}  // namespace

void separate_cuts(const Mesh& mesh, Topology& topology) {
  if (mesh.cuts.empty()) return;
  const Index num_old_edges = topology.num_edges();
  separate_faces(mesh, topology);
  separate_edges(mesh, topology);
  renew_face_edges(mesh, topology, num_old_edges);
}

}  // namespace curlew::mesh
