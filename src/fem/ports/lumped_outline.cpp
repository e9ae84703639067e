// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/lumped_outline.hpp"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <set>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

/// Which of n things are connected.
class Connected {
 public:
  explicit Connected(std::size_t n) : parent_(n) {
    std::iota(parent_.begin(), parent_.end(), std::size_t{0});
  }
  std::size_t root(std::size_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::size_t i, std::size_t j) { parent_[root(i)] = root(j); }

 private:
  std::vector<std::size_t> parent_;
};

/// Edges of conductors that have unknowns: walls of finite impedance, and perfect conductors where a
/// scattered field is the unknown.
std::set<Index> conducting_edges(const Model& model, const NedelecSpace& space) {
  std::set<Index> edges;
  for (const Index t : conductor_triangles(model.boundaries, *space.mesh)) {
    const Index face = space.topology->triangle_face[std::size_t(t)];
    for (const Index e : space.topology->face_edges[std::size_t(face)])
      if (space.edge_number[std::size_t(e)] >= 0) edges.insert(e);
  }
  return edges;
}

void set_plane(const std::string& name, const mesh::Mesh& mesh, std::span<const Index> triangles,
               LumpedOutline& outline) {
  Vec3<double> normal{};
  for (const Index t : triangles) {
    const Index* nodes = mesh.triangle(t);
    const Vec3<double> a = mesh.nodes[std::size_t(nodes[0])], b = mesh.nodes[std::size_t(nodes[1])],
                       c = mesh.nodes[std::size_t(nodes[2])];
    const Vec3<double> part = 0.5 * cross(b - a, c - a);
    outline.area += norm(part);
    normal += dot(part, normal) < 0 ? -part : part;
  }
  if (norm(normal) < (1 - 1e-6) * outline.area)
    throw InputError(fmt::format("{}: a lumped face must be planar", name));
  outline.normal = normalized(normal);
}

/// Numbers the conductors: edges that share a vertex are one.
void number_conductors(LumpedOutline& outline) {
  Connected connected(outline.edges.size());
  std::map<Index, std::size_t> first;
  for (std::size_t i = 0; i < outline.edges.size(); ++i) {
    if (outline.edges[i].conductor < 0) continue;
    for (const Index node : outline.edges[i].nodes) connected.join(i, first.emplace(node, i).first->second);
  }
  std::map<std::size_t, int> numbers;
  for (std::size_t i = 0; i < outline.edges.size(); ++i)
    if (outline.edges[i].conductor >= 0)
      outline.edges[i].conductor = numbers.emplace(connected.root(i), int(numbers.size())).first->second;
  outline.num_conductors = int(numbers.size());
}

}  // namespace

LumpedOutline lumped_outline(const std::string& name, const Model& model, const NedelecSpace& space,
                             std::span<const Index> triangles) {
  LumpedOutline outline;
  set_plane(name, *space.mesh, triangles, outline);
  std::map<Index, std::vector<std::size_t>> users;
  Connected pieces(triangles.size());
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const Index face = space.topology->triangle_face[std::size_t(triangles[i])];
    for (const Index e : space.topology->face_edges[std::size_t(face)]) {
      users[e].push_back(i);
      pieces.join(i, users[e].front());
    }
  }
  for (std::size_t i = 0; i < triangles.size(); ++i)
    if (pieces.root(i) != pieces.root(0))
      throw InputError(fmt::format(
          "{}: its surface consists of several pieces: give every piece a table of its own", name));
  const std::set<Index> walls = conducting_edges(model, space);
  for (const auto& [edge, uses] : users) {
    const bool conducts = space.edge_number[std::size_t(edge)] < 0 || walls.count(edge) > 0;
    if (uses.size() > 1 && conducts)
      throw InputError(fmt::format(
          "{}: a conductor lies across it: a lumped face spans one gap, from conductor to conductor", name));
    if (uses.size() > 1) continue;
    const auto& nodes = space.topology->edges[std::size_t(edge)];
    outline.edges.push_back(
        {edge,
         nodes,
         {space.mesh->nodes[std::size_t(nodes[0])], space.mesh->nodes[std::size_t(nodes[1])]},
         conducts ? 0 : -1});
  }
  number_conductors(outline);
  return outline;
}

}  // namespace curlew::fem
