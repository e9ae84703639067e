// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/shared_points.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <utility>

#include "base/huge_pages.hpp"
#include "fem/output/cell_subdivision.hpp"

namespace curlew::fem {
namespace {

/// The nodes strictly inside of a cell's vertices, edges, faces and itself, in an order that depends on the
/// vertices of each alone.
struct Inside {
  explicit Inside(const CellSubdivision& lattice) {
    const int n = lattice.pieces();
    for (std::size_t v = 0; v < 4; ++v) vertices[v] = {int(v)};
    for (std::size_t e = 0; e < 6; ++e)
      for (int i = 1; i < n; ++i) edges[e].push_back(3 + int(e) * (n - 1) + i);
    const auto zeros = [&](int node) {
      const auto& place = lattice.place(node);
      return std::count(place.begin(), place.end(), 0);
    };
    for (std::size_t f = 0; f < 4; ++f)
      for (const int node : lattice.face_nodes(mesh::cell_face_vertices[f]))
        if (zeros(node) == 1) faces[f].push_back(node);
    for (int node = 0; node < lattice.num_nodes(); ++node)
      if (zeros(node) == 0) cell[0].push_back(node);
  }
  std::array<std::vector<int>, 4> vertices;
  std::array<std::vector<int>, 6> edges;
  std::array<std::vector<int>, 4> faces;
  std::array<std::vector<int>, 1> cell;
};

/// Numbers points in the order in which cells meet them.
class Numbering {
 public:
  Numbering(const mesh::Mesh& mesh, const mesh::Topology& topology) : mesh_(mesh), topology_(topology) {}

  /// Begins cells that share no point with those before.
  void begin() {
    vertices_.assign(mesh_.nodes.size(), -1);
    edges_.assign(topology_.edges.size(), -1);
    faces_.assign(topology_.faces.size(), -1);
  }
  /// @param[out] point of every slot of the cell
  void number(Index cell, const Inside& inside, Offset* point) {
    const auto c = std::size_t(cell);
    Offset own = -1;
    number(mesh_.cell(cell), inside.vertices, vertices_.data(), point);
    number(topology_.cell_edges[c].data(), inside.edges, edges_.data(), point);
    number(topology_.cell_faces[c].data(), inside.faces, faces_.data(), point);
    number(std::array<Index, 1>{0}.data(), inside.cell, &own, point);
  }
  Offset count() const { return next_; }

 private:
  template <std::size_t n>
  void number(const Index* entities, const std::array<std::vector<int>, n>& inside, Offset* firsts,
              Offset* point) {
    for (std::size_t i = 0; i < n; ++i) {
      Offset& first = firsts[entities[i]];
      if (first < 0) first = std::exchange(next_, next_ + Offset(inside[i].size()));
      for (std::size_t k = 0; k < inside[i].size(); ++k) point[inside[i][k]] = first + Offset(k);
    }
  }

  const mesh::Mesh& mesh_;
  const mesh::Topology& topology_;
  std::vector<Offset> vertices_, edges_, faces_;  // first point; -1: none yet
  Offset next_ = 0;
};

}  // namespace

void CellSlots::count() {
  first.resize(order.size() + 1);
  for (std::size_t c = 0; c < order.size(); ++c)
    first[c + 1] = first[c] + Offset(order[c] + 1) * (order[c] + 2) * (order[c] + 3) / 6;
}

SharedPoints share_points(const mesh::Mesh& mesh, const mesh::Topology& topology, const CellSlots& cells) {
  std::map<std::pair<int, int>, std::vector<Index>> alike;
  for (std::size_t c = 0; c < cells.order.size(); ++c)
    alike[{cells.order[c], cells.group[c]}].push_back(Index(c));
  SharedPoints shared;
  resize_huge(shared.point, std::size_t(cells.first.back()));
  Numbering numbering(mesh, topology);
  for (const auto& [kind, members] : alike) {
    const Inside inside{CellSubdivision(kind.first)};
    numbering.begin();
    for (const Index c : members)
      numbering.number(c, inside, &shared.point[std::size_t(cells.first[std::size_t(c)])]);
  }
  shared.first.assign(std::size_t(numbering.count()) + 1, 0);
  for (const Offset p : shared.point) ++shared.first[std::size_t(p) + 1];
  std::partial_sum(shared.first.begin(), shared.first.end(), shared.first.begin());
  auto next = shared.first;
  resize_huge(shared.nodes, shared.point.size());
  for (std::size_t c = 0; c < cells.order.size(); ++c)
    for (Offset s = cells.first[c]; s < cells.first[c + 1]; ++s)
      shared.nodes[std::size_t(next[std::size_t(shared.point[std::size_t(s)])]++)] = {
          Index(c), int(s - cells.first[c])};
  return shared;
}

}  // namespace curlew::fem
