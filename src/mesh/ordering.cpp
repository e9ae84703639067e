// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/ordering.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>

namespace curlew::mesh {
namespace {

/// Local number of the edge between two vertices in a table of edges.
template <std::size_t E>
int edge_between(const std::array<std::array<int, 2>, E>& edges, int a, int b) {
  const std::array<int, 2> wanted{std::min(a, b), std::max(a, b)};
  return int(std::find(edges.begin(), edges.end(), wanted) - edges.begin());
}

/// Sorts the V vertices of one entity and moves its E middle nodes (if has_middles) along with their edges.
template <std::size_t V, std::size_t E>
void sort_entity(Index* nodes, const std::array<std::array<int, 2>, E>& edges, bool has_middles) {
  if (std::is_sorted(nodes, nodes + V)) return;
  std::array<int, V> old_place;
  std::iota(old_place.begin(), old_place.end(), 0);
  std::sort(old_place.begin(), old_place.end(), [&](int a, int b) { return nodes[a] < nodes[b]; });

  std::array<Index, V + E> old;
  std::copy(nodes, nodes + V + (has_middles ? E : 0), old.begin());
  for (std::size_t v = 0; v < V; ++v) nodes[v] = old[old_place[v]];
  if (!has_middles) return;
  for (std::size_t e = 0; e < E; ++e)
    nodes[V + e] = old[V + edge_between(edges, old_place[edges[e][0]], old_place[edges[e][1]])];
}

}  // namespace

void sort_vertices(Mesh& mesh) {
  const bool curved = mesh.geometry_order == 2;
  const Index num_cells = mesh.num_cells();
#pragma omp parallel for
  for (Index c = 0; c < num_cells; ++c)
    sort_entity<4>(&mesh.cells[std::size_t(c) * mesh.nodes_per_cell()], cell_edge_vertices, curved);
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    sort_entity<3>(&mesh.triangles[std::size_t(t) * mesh.nodes_per_triangle()], triangle_edge_vertices,
                   curved);
}

void renumber_nodes(Mesh& mesh, const std::vector<Index>& new_number) {
  std::vector<Vec3<double>> nodes(mesh.nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) nodes[new_number[i]] = mesh.nodes[i];
  mesh.nodes = std::move(nodes);
  for (auto* list : {&mesh.cells, &mesh.triangles})
    for (Index& node : *list) node = new_number[node];
  sort_vertices(mesh);
}

void shuffle_nodes(Mesh& mesh, unsigned seed) {
  std::vector<Index> number(mesh.nodes.size());
  std::iota(number.begin(), number.end(), 0);
  // Not std::shuffle, whose result differs between standard libraries.
  std::mt19937 random(seed);
  for (std::size_t i = number.size(); i > 1; --i) std::swap(number[i - 1], number[random() % i]);
  renumber_nodes(mesh, number);
}

}  // namespace curlew::mesh
