// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/ordering.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <random>

#include "base/morton.hpp"

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

/// Index of every point along the Morton curve through their bounding cube: a permutation.
std::vector<Index> curve_numbers(const std::vector<Vec3<double>>& points) {
  Vec3<double> lo = points.at(0), hi = lo;
  for (const auto& x : points)
    for (int d = 0; d < 3; ++d) {
      lo[d] = std::min(lo[d], x[d]);
      hi[d] = std::max(hi[d], x[d]);
    }
  const double extent = std::max({hi.x - lo.x, hi.y - lo.y, hi.z - lo.z, 1e-300});
  std::vector<std::pair<std::uint64_t, Index>> places(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::uint64_t code = 0;
    for (int d = 0; d < 3; ++d)
      code |= spread_bits(std::uint64_t((points[i][d] - lo[d]) / extent * 0x1fffff)) << d;
    places[i] = {code, Index(i)};
  }
  std::sort(places.begin(), places.end());
  std::vector<Index> number(points.size());
  for (std::size_t place = 0; place < places.size(); ++place) number[places[place].second] = Index(place);
  return number;
}

/// Gives cell c the number new_number[c].
void renumber_cells(Mesh& mesh, const std::vector<Index>& new_number) {
  const std::size_t width = mesh.nodes_per_cell();
  std::vector<Index> cells(mesh.cells.size());
  for (std::size_t c = 0; c < new_number.size(); ++c)
    std::copy_n(&mesh.cells[c * width], width, &cells[std::size_t(new_number[c]) * width]);
  mesh.cells = std::move(cells);
  for (Region& region : mesh.volumes) {
    for (Index& c : region.entities) c = new_number[c];
    std::sort(region.entities.begin(), region.entities.end());
  }
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

void order_along_curve(Mesh& mesh) {
  if (mesh.nodes.empty()) return;
  renumber_nodes(mesh, curve_numbers(mesh.nodes));
  if (mesh.cells.empty()) return;
  std::vector<Vec3<double>> centres(mesh.num_cells());
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int v = 0; v < 4; ++v) centres[c] += 0.25 * mesh.nodes[mesh.cell(c)[v]];
  renumber_cells(mesh, curve_numbers(centres));
}

}  // namespace curlew::mesh
