// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/rims.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace curlew::mesh {
namespace {

/// Angle of a straight cell at one of its edges.
double dihedral(const Mesh& mesh, Index cell, std::size_t edge) {
  const auto [a, b] = cell_edge_vertices[edge];
  Vec3<double> across[2];
  int legs = 0;
  const auto at = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(cell)[i])]; };
  const Vec3<double> along = normalized(at(b) - at(a));
  for (int i = 0; i < 4; ++i) {
    if (i == a || i == b) continue;
    const Vec3<double> leg = at(i) - at(a);
    across[legs++] = leg - dot(leg, along) * along;
  }
  return std::atan2(norm(cross(across[0], across[1])), dot(across[0], across[1]));
}

/// The cells around an edge: divided into sectors without a conductor inside, with the angle of each.
class Around {
 public:
  Around(const Mesh& mesh, const Topology& topology, const std::vector<char>& conducts)
      : mesh_(mesh), topology_(topology), conducts_(conducts) {}

  double widest(Index edge, const std::vector<Index>& cells) const {
    std::map<Index, std::vector<Index>> users;  // of faces
    std::map<Index, Index> part;
    for (const Index c : cells) {
      part[c] = c;
      for (const Index f : faces_at(edge, c))
        if (!conducts_[std::size_t(f)]) users[f].push_back(c);
    }
    for (const auto& [face, two] : users)
      if (two.size() == 2) {
        const Index from = part[two[0]], to = part[two[1]];
        for (auto& [c, p] : part)
          if (p == from) p = to;
      }
    std::map<Index, double> angle, times;
    for (const Index c : cells) {
      const auto local = std::find(topology_.cell_edges[std::size_t(c)].begin(),
                                   topology_.cell_edges[std::size_t(c)].end(), edge) -
                         topology_.cell_edges[std::size_t(c)].begin();
      angle[part[c]] += dihedral(mesh_, c, std::size_t(local));
    }
    for (const auto& [face, one] : users)
      if (one.size() == 1) times[part[one[0]]] = 2;
    double most = 0;
    for (const auto& [p, sum] : angle) most = std::max(most, sum * std::max(1.0, times[p]));
    return most;
  }

 private:
  std::vector<Index> faces_at(Index edge, Index cell) const {
    std::vector<Index> faces;
    for (const Index f : topology_.cell_faces[std::size_t(cell)]) {
      const auto& edges = topology_.face_edges[std::size_t(f)];
      if (std::find(edges.begin(), edges.end(), edge) != edges.end()) faces.push_back(f);
    }
    return faces;
  }

  const Mesh& mesh_;
  const Topology& topology_;
  const std::vector<char>& conducts_;  // [faces]
};

}  // namespace

std::vector<char> rims(const Mesh& mesh, const Topology& topology, std::span<const Index> conductors,
                       double angle) {
  std::vector<char> conducts(std::size_t(topology.num_faces()));
  for (const Index t : conductors) conducts[std::size_t(topology.triangle_face[std::size_t(t)])] = 1;
  return rims_of_faces(mesh, topology, conducts, angle);
}

std::vector<char> rims_of_faces(const Mesh& mesh, const Topology& topology, const std::vector<char>& conducts,
                                double angle) {
  std::vector<char> rim(std::size_t(topology.num_edges()));
  std::map<Index, std::vector<Index>> cells;  // of edges of conductors
  for (std::size_t face = 0; face < conducts.size(); ++face)
    if (conducts[face])
      for (const Index e : topology.face_edges[face]) cells[e];
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const Index e : topology.cell_edges[std::size_t(c)])
      if (const auto found = cells.find(e); found != cells.end()) found->second.push_back(c);
  const Around around(mesh, topology, conducts);
  for (const auto& [edge, users] : cells) rim[std::size_t(edge)] = around.widest(edge, users) > angle;
  return rim;
}

}  // namespace curlew::mesh
