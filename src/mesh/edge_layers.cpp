// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/edge_layers.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "mesh/cut_edges.hpp"

namespace curlew::mesh {
namespace {

/// Calls visit(edge, cell) for the edges of all cells.
template <class Visit>
void each_edge(const Mesh& mesh, const Visit& visit) {
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const auto& [a, b] : cell_edge_vertices) visit(VertexPair{mesh.cell(c)[a], mesh.cell(c)[b]}, c);
}

/// Edges between vertices of rims that are no rims themselves; at most one of each cell.
std::map<VertexPair, double> edges_across(const Mesh& mesh, const std::set<VertexPair>& rim,
                                          const std::set<Index>& at) {
  std::map<VertexPair, std::vector<Index>> cells;
  each_edge(mesh, [&](const VertexPair& edge, Index c) {
    if (at.count(edge.first) && at.count(edge.second) && !rim.count(edge)) cells[edge].push_back(c);
  });
  std::vector<char> taken(std::size_t(mesh.num_cells()));
  std::map<VertexPair, double> cuts;
  for (const auto& [edge, users] : cells) {
    if (std::any_of(users.begin(), users.end(), [&](Index c) { return taken[std::size_t(c)]; })) continue;
    for (const Index c : users) taken[std::size_t(c)] = 1;
    cuts[edge] = 0.5;
  }
  return cuts;
}

/// Edges with one end on a rim, cut at a fraction of their length from it.
std::map<VertexPair, double> edges_away(const Mesh& mesh, const std::set<Index>& at, double share) {
  std::map<VertexPair, double> cuts;
  each_edge(mesh, [&](const VertexPair& edge, Index) {
    const bool first = at.count(edge.first), second = at.count(edge.second);
    if (first != second) cuts[edge] = first ? share : 1 - share;
  });
  return cuts;
}

/// Removes nodes that no element uses; the others keep their order.
void drop_unused(Mesh& mesh) {
  std::vector<Index> number(mesh.nodes.size(), -1);
  for (const Index n : mesh.cells) number[std::size_t(n)] = 0;
  for (const Index n : mesh.triangles) number[std::size_t(n)] = 0;
  Index used = 0;
  for (std::size_t i = 0; i < number.size(); ++i) {
    if (number[i] < 0) continue;
    mesh.nodes[std::size_t(used)] = mesh.nodes[i];
    number[i] = used++;
  }
  mesh.nodes.resize(std::size_t(used));
  for (Index& n : mesh.cells) n = number[std::size_t(n)];
  for (Index& n : mesh.triangles) n = number[std::size_t(n)];
}

}  // namespace

double layer_share(int layer, int layers) {
  return 0.25 * std::pow(2, 0.5 * (layers - 1) - layer);
}

EdgeLayers add_edge_layers(const Mesh& mesh, const Topology& topology, const std::vector<char>& rims,
                           int layers) {
  EdgeLayers out{mesh, std::vector<Index>(std::size_t(mesh.num_cells()))};
  std::iota(out.parents.begin(), out.parents.end(), 0);
  std::set<VertexPair> rim;
  std::set<Index> at;
  for (std::size_t e = 0; e < rims.size(); ++e) {
    if (!rims[e]) continue;
    const auto [a, b] = topology.edges[e];
    rim.insert({a, b}), at.insert(a), at.insert(b);
  }
  if (rim.empty() || layers == 0) return out;
  for (auto cuts = edges_across(out.mesh, rim, at); !cuts.empty(); cuts = edges_across(out.mesh, rim, at))
    out.mesh = cut_edges(out.mesh, cuts, out.parents);
  for (int layer = 0; layer < layers; ++layer)
    out.mesh = cut_edges(out.mesh, edges_away(out.mesh, at, layer_share(layer, layers)), out.parents);
  if (!mesh.element_orders.empty()) {
    out.mesh.element_orders.clear();
    for (Index c = 0; c < out.mesh.num_cells(); ++c) {
      const auto order = mesh.element_orders[std::size_t(out.parents[std::size_t(c)])];
      const Index* vertices = out.mesh.cell(c);
      const bool is_at_rim = std::any_of(vertices, vertices + 4, [&](Index v) { return at.count(v) != 0; });
      out.mesh.element_orders.push_back(is_at_rim ? std::min(order, order_at_rims) : order);
    }
  }
  if (mesh.geometry_order == 2) drop_unused(out.mesh);
  return out;
}

}  // namespace curlew::mesh
