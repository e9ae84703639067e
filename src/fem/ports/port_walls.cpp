// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port_walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.hpp"

namespace curlew::fem {
namespace {

/// Edges of the face and how often its triangles use them: once on the outline.
std::map<Index, int> edge_uses(const PortFace& port, const NedelecSpace& space) {
  std::map<Index, int> uses;
  for (const Index t : port.triangles) {
    const Index face = space.topology->triangle_face[std::size_t(t)];
    for (const Index e : space.topology->face_edges[std::size_t(face)]) ++uses[e];
  }
  return uses;
}

}  // namespace

std::vector<PortWall> find_walls(const PortFace& port, const Model& model, const NedelecSpace& space) {
  const auto uses = edge_uses(port, space);
  const auto& topology = *space.topology;
  const auto edges_of = [&](Index t) {
    return topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])];
  };
  const auto in_port = [&](Index e) { return uses.count(e) > 0 && space.edge_number[std::size_t(e)] >= 0; };
  const auto make_unique = [](auto& values) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  std::vector<PortWall> walls;
  for (FacePart& part : face_parts(model, space)) {
    PortWall wall;
    for (const Index t : part.triangles)
      for (const Index e : edges_of(t))
        if (in_port(e)) wall.edges.push_back(e);
    for (const auto& [first, second] : part.pairs)
      for (std::size_t i = 0; i < 3; ++i)
        if (in_port(edges_of(first)[i])) wall.pairs.push_back({edges_of(first)[i], edges_of(second)[i]});
    make_unique(wall.edges);
    make_unique(wall.pairs);
    if (part.along && !wall.edges.empty())
      throw InputError(
          fmt::format("port \"{}\" touches the lumped element \"{}\": the cross-section of a guide must be "
                      "uniform at its port; keep them apart",
                      port.region, model.boundaries[part.boundary].regions.front()));
    wall.part = std::move(part);
    if (!wall.edges.empty()) walls.push_back(std::move(wall));
  }
  return walls;
}

bool has_metal_outline(const PortFace& port, const std::vector<PortWall>& walls, const Model& model,
                       const NedelecSpace& space) {
  std::set<Index> conducting;
  for (const PortWall& wall : walls) {
    if (model.boundaries[wall.part.boundary]->is_metal())
      conducting.insert(wall.edges.begin(), wall.edges.end());
  }
  for (const auto& [edge, uses] : edge_uses(port, space)) {
    const bool metal = space.edge_number[std::size_t(edge)] < 0 || conducting.count(edge) > 0;
    if ((uses == 1) != metal) return false;
  }
  return true;
}

int count_conductors(const PortFace& port, const std::vector<PortWall>& walls, const Model& model,
                     const NedelecSpace& space) {
  std::set<Index> metal;
  for (const auto& [edge, uses] : edge_uses(port, space))
    if (space.edge_number[std::size_t(edge)] < 0) metal.insert(edge);
  for (const PortWall& wall : walls)
    if (model.boundaries[wall.part.boundary]->conducts()) metal.insert(wall.edges.begin(), wall.edges.end());
  std::map<Index, Index> parent;
  const auto root = [&](Index node) {
    parent.emplace(node, node);
    while (parent[node] != node) node = parent[node] = parent[parent[node]];
    return node;
  };
  for (const Index edge : metal) {
    const auto& [a, b] = space.topology->edges[std::size_t(edge)];
    parent[root(a)] = root(b);
  }
  return int(std::count_if(parent.begin(), parent.end(), [](const auto& p) { return p.first == p.second; }));
}

bool is_divided(const PortFace& port, const NedelecSpace& space) {
  const auto& topology = *space.topology;
  std::map<Index, std::vector<Index>> neighbours;
  for (const Index t : port.triangles)
    for (const Index e : topology.face_edges[std::size_t(topology.triangle_face[std::size_t(t)])]) {
      const auto& [a, b] = topology.edges[std::size_t(e)];
      neighbours[a].push_back(b);
      neighbours[b].push_back(a);
    }
  std::set<Index> reached{neighbours.begin()->first};
  std::vector<Index> front(reached.begin(), reached.end());
  while (!front.empty()) {
    const Index node = front.back();
    front.pop_back();
    for (const Index next : neighbours[node])
      if (reached.insert(next).second) front.push_back(next);
  }
  return reached.size() < neighbours.size();
}

}  // namespace curlew::fem
