// SPDX-License-Identifier: BSD-3-Clause
#include "fem/model/shared_rims.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/log.hpp"
#include "mesh/regions.hpp"

namespace curlew::fem {
namespace {

template <class Visit>
void each_edge(const mesh::Topology& topology, const std::vector<Index>& triangles, const Visit& visit) {
  for (const Index t : triangles) {
    const auto face = std::size_t(topology.triangle_face[std::size_t(t)]);
    for (const Index e : topology.face_edges[face]) visit(e);
  }
}

bool has_rim(const PortModel& port) {
  return port.kind->is_outer() && !port.kind->ends_periodic_cell();
}

}  // namespace

std::vector<SharedRim> shared_rims(const Model& model, const mesh::Mesh& mesh,
                                   const mesh::Topology& topology) {
  const auto none = std::size_t(-1);
  std::map<Index, std::size_t> owner;  // of the edges so far
  std::map<std::pair<std::size_t, std::size_t>, std::vector<Index>> shared;
  for (std::size_t p = 0; p < model.ports.size(); ++p)
    if (has_rim(model.ports[p]))
      each_edge(topology, surface_triangles(mesh, model.ports[p].region), [&](Index e) {
        const std::size_t first = owner.try_emplace(e, p).first->second;
        if (first != p) shared[{first, p}].push_back(e);
      });
  if (shared.empty()) return {};
  for (const BoundaryCondition& boundary : model.boundaries)
    each_edge(topology, mesh::triangles_of(mesh, boundary.regions), [&](Index e) {
      if (const auto found = owner.find(e); found != owner.end()) found->second = none;
    });
  std::vector<SharedRim> rims;
  for (auto& [ports, edges] : shared) {
    std::erase_if(edges, [&](Index e) { return owner.at(e) == none; });
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    if (!edges.empty()) rims.push_back({ports.first, ports.second, std::move(edges)});
  }
  return rims;
}

void state_shared_rims(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology) {
  for (const SharedRim& rim : shared_rims(model, mesh, topology)) {
    double length = 0;
    for (const Index e : rim.edges) {
      const auto& [a, b] = topology.edges[std::size_t(e)];
      length += norm(mesh.nodes[std::size_t(a)] - mesh.nodes[std::size_t(b)]);
    }
    log::info(
        "ports \"{}\" and \"{}\" touch: their common edge, {:.4g} m long, is taken as metal; a single port "
        "over both faces with modes = 2 has no metal there",
        model.ports[rim.first].region, model.ports[rim.second].region, length);
  }
}

NedelecSpace make_model_space(const Model& model, const mesh::Mesh& mesh, const mesh::Topology& topology,
                              const CellOrders& cell_orders) {
  ConstrainedParts metal{pec_triangles(model, mesh), {}};
  for (const SharedRim& rim : shared_rims(model, mesh, topology))
    metal.edges.insert(metal.edges.end(), rim.edges.begin(), rim.edges.end());
  return make_constrained_space(mesh, topology, model.order, metal, cell_orders);
}

}  // namespace curlew::fem
