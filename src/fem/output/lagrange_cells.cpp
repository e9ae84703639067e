// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/lagrange_cells.hpp"

#include <array>
#include <span>
#include <utility>

namespace curlew::fem {
namespace {

using Place = CellSubdivision::Place;

/// Adds the nodes of a smaller simplex of a given order inside of the lattice; every place in it is at least
/// `base`, and the vertices of it are those of the tetrahedron that are named.
class Nodes {
 public:
  void add_vertices(const Place& base, int order, std::span<const std::size_t> vertices) {
    for (const std::size_t v : vertices) add(base, {{v, order}});
  }
  void add_edge(const Place& base, int order, std::size_t from, std::size_t to) {
    for (int i = 1; i < order; ++i) add(base, {{from, order - i}, {to, i}});
  }
  void add_triangle(Place base, int order, const std::array<std::size_t, 3>& v) {
    if (order < 1) return order < 0 ? void() : add(base, {});
    add_vertices(base, order, v);
    for (std::size_t i = 0; i < 3; ++i) add_edge(base, order, v[i], v[(i + 1) % 3]);
    for (const std::size_t i : v) ++base[i];
    add_triangle(base, order - 3, v);
  }
  void add_tetrahedron(Place base, int order) {
    if (order < 1) return order < 0 ? void() : add(base, {});
    constexpr std::array<std::size_t, 4> all{0, 1, 2, 3};
    constexpr std::size_t edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};
    constexpr std::array<std::size_t, 3> faces[4] = {{0, 1, 3}, {2, 3, 1}, {0, 3, 2}, {0, 2, 1}};
    add_vertices(base, order, all);
    for (const auto& [a, b] : edges) add_edge(base, order, a, b);
    for (const auto& face : faces) {
      Place inner = base;
      for (const std::size_t v : face) ++inner[v];
      add_triangle(inner, order - 3, face);
    }
    for (int& b : base) ++b;
    add_tetrahedron(base, order - 4);
  }

  std::vector<Place> places;

 private:
  void add(Place place, std::initializer_list<std::pair<std::size_t, int>> more) {
    for (const auto& [v, weight] : more) place[v] += weight;
    places.push_back(place);
  }
};

}  // namespace

std::vector<int> lagrange_nodes(const CellSubdivision& lattice, bool mirrored) {
  Nodes nodes;
  nodes.add_tetrahedron({}, lattice.pieces());
  std::vector<int> numbers;
  for (Place place : nodes.places) {
    if (mirrored) std::swap(place[0], place[1]);
    numbers.push_back(lattice.node(place));
  }
  return numbers;
}

}  // namespace curlew::fem
