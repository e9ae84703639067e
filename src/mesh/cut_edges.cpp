// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/cut_edges.hpp"

#include <algorithm>
#include <array>

#include "mesh/simplex_map.hpp"

namespace curlew::mesh {
namespace {

/// A vertex of the parts of an element.
template <std::size_t Corners>
struct Corner {
  Index node;
  std::array<double, Corners> place;  ///< barycentric
};

using Polygon = std::vector<int>;  ///< corners in order

/// Triangles of a polygon, with its node of the smallest number as common corner.
template <class Node>
std::vector<std::array<int, 3>> triangles_of(const Polygon& polygon, const Node& node) {
  const auto n = polygon.size();
  std::size_t least = 0;
  for (std::size_t i = 1; i < n; ++i)
    if (node(polygon[i]) < node(polygon[least])) least = i;
  std::vector<std::array<int, 3>> out;
  for (std::size_t i = 1; i + 1 < n; ++i)
    out.push_back({polygon[least], polygon[(least + i) % n], polygon[(least + i + 1) % n]});
  return out;
}

/// Adds tetrahedra of a convex body, with its node of the smallest number as common corner.
template <class Node>
void add_tetrahedra(const std::vector<Polygon>& faces, const Node& node,
                    std::vector<std::array<int, 4>>& out) {
  int least = faces[0][0];
  for (const auto& face : faces)
    for (const int i : face)
      if (node(i) < node(least)) least = i;
  for (const auto& face : faces) {
    if (std::find(face.begin(), face.end(), least) != face.end()) continue;
    for (const auto& t : triangles_of(face, node)) out.push_back({least, t[0], t[1], t[2]});
  }
}

/// Cuts edges at new vertices and divides their cells and triangles.
class Cutting {
 public:
  /// @param cuts fraction of the length from the lower vertex, by edge
  Cutting(const Mesh& mesh, const std::map<VertexPair, double>& cuts) : old_(mesh), new_(mesh) {
    new_.cells.clear(), new_.triangles.clear(), new_.element_orders.clear();
    for (const auto& [edge, share] : cuts) {
      cuts_[edge] = {Index(new_.nodes.size()), share};
      new_.nodes.push_back({});
    }
  }

  /// @param[in,out] parents of the cells before, then of their parts
  Mesh cut(std::vector<Index>& parents) {
    std::vector<Index> own, first_cell{0}, first_triangle{0};
    for (Index c = 0; c < old_.num_cells(); ++c) {
      cut_cell(c);
      own.resize(new_.cells.size() / std::size_t(new_.nodes_per_cell()), parents[std::size_t(c)]);
      first_cell.push_back(Index(own.size()));
    }
    for (Index t = 0; t < old_.num_triangles(); ++t) {
      cut_triangle(t);
      first_triangle.push_back(new_.num_triangles());
    }
    parents = std::move(own);
    spread(first_cell, old_.volumes, new_.volumes), spread(first_triangle, old_.surfaces, new_.surfaces);
    return std::move(new_);
  }

 private:
  struct Place {
    Index node;
    double share;
  };

  static void spread(const std::vector<Index>& first, const std::vector<Region>& before,
                     std::vector<Region>& after) {
    for (std::size_t r = 0; r < before.size(); ++r) {
      after[r].entities.clear();
      for (const Index e : before[r].entities)
        for (Index part = first[std::size_t(e)]; part < first[std::size_t(e) + 1]; ++part)
          after[r].entities.push_back(part);
    }
  }

  /// Vertices and cuts of an element. @param[out] at the corner on each edge, -1: none
  template <std::size_t Corners, std::size_t Edges>
  std::vector<Corner<Corners>> corners_of(const Index* nodes, const EdgeVertices<Edges>& edges,
                                          std::array<int, Edges>& at) const {
    std::vector<Corner<Corners>> corners;
    for (std::size_t i = 0; i < Corners; ++i) {
      corners.push_back({nodes[i], {}});
      corners.back().place[i] = 1;
    }
    for (std::size_t e = 0; e < Edges; ++e) {
      const auto [a, b] = edges[e];
      const auto found = cuts_.find({nodes[a], nodes[b]});
      at[e] = found == cuts_.end() ? -1 : int(corners.size());
      if (at[e] < 0) continue;
      corners.push_back({found->second.node, {}});
      corners.back().place[std::size_t(a)] = 1 - found->second.share;
      corners.back().place[std::size_t(b)] = found->second.share;
    }
    return corners;
  }

  void cut_cell(Index c) {
    const Index* nodes = old_.cell(c);
    std::array<int, 6> at;
    const auto corners = corners_of<4, 6>(nodes, cell_edge_vertices, at);
    const auto node = [&](int i) { return corners[std::size_t(i)].node; };
    std::vector<std::array<int, 4>> parts;
    // Corner on the edge between two vertices.
    const auto on = [&](int a, int b) {
      std::size_t e = 0;
      while (cell_edge_vertices[e] != std::array{std::min(a, b), std::max(a, b)}) ++e;
      return at[e];
    };
    switch (corners.size()) {
      case 4:
        parts = {{0, 1, 2, 3}};
        break;
      case 5: {
        const auto e = std::size_t(std::find(at.begin(), at.end(), 4) - at.begin());
        const auto [a, b] = cell_edge_vertices[e];
        for (const int end : {a, b}) {
          std::array<int, 4> part{0, 1, 2, 3};
          part[std::size_t(end)] = 4;
          parts.push_back(part);
        }
        break;
      }
      case 7: {  // three edges of vertex a
        int a = 0;
        while (std::any_of(std::begin(others_[a]), std::end(others_[a]), [&](int b) { return on(a, b) < 0; }))
          ++a;
        const auto [b, c1, d] = others_[a];
        const int p = on(a, b), q = on(a, c1), r = on(a, d);
        parts.push_back({a, p, q, r});
        add_tetrahedra({{p, q, r}, {b, c1, d}, {p, q, c1, b}, {q, r, d, c1}, {p, r, d, b}}, node, parts);
        break;
      }
      default: {  // four edges between the ends of ab and of cd
        int b = 1;
        while (on(0, b) >= 0) ++b;
        int far[2], others = 0;
        for (int i = 1; i < 4; ++i)
          if (i != b) far[others++] = i;
        const int c1 = far[0], d = far[1], ac = on(0, c1), ad = on(0, d), bc = on(b, c1), bd = on(b, d);
        add_tetrahedra({{0, ac, ad}, {b, bc, bd}, {0, b, bc, ac}, {0, b, bd, ad}, {ac, ad, bd, bc}}, node,
                       parts);
        add_tetrahedra({{c1, ac, bc}, {d, ad, bd}, {c1, d, ad, ac}, {c1, d, bd, bc}, {ac, ad, bd, bc}}, node,
                       parts);
      }
    }
    for (const auto& part : parts) add(nodes, cell_edge_vertices, corners, part, new_.cells);
  }

  void cut_triangle(Index t) {
    const Index* nodes = old_.triangle(t);
    std::array<int, 3> at;
    const auto corners = corners_of<3, 3>(nodes, triangle_edge_vertices, at);
    const auto node = [&](int i) { return corners[std::size_t(i)].node; };
    std::vector<std::array<int, 3>> parts;
    const int on[3] = {at[2], at[1], at[0]};  // opposite each vertex
    if (corners.size() == 3) {
      parts = {{0, 1, 2}};
    } else if (corners.size() == 4) {
      int a = 0;
      while (on[a] < 0) ++a;
      for (const int end : {(a + 1) % 3, (a + 2) % 3}) parts.push_back({a, end, 3});
    } else {  // two edges of vertex a
      int a = 0;
      while (on[a] >= 0) ++a;
      const int b = (a + 1) % 3, c = (a + 2) % 3, ab = on[c], ac = on[b];
      parts = triangles_of({b, c, ac, ab}, node);
      parts.push_back({a, ab, ac});
    }
    for (const auto& part : parts) add(nodes, triangle_edge_vertices, corners, part, new_.triangles);
  }

  template <std::size_t Corners, std::size_t Edges>
  void add(const Index* nodes, const EdgeVertices<Edges>& edges, const std::vector<Corner<Corners>>& corners,
           std::array<int, Corners> part, std::vector<Index>& out) {
    const auto corner = [&](int i) -> const Corner<Corners>& { return corners[std::size_t(i)]; };
    const bool curved = old_.geometry_order == 2;
    const auto position = [&](const std::array<double, Corners>& place) {
      return simplex_point(place, curved, edges, [&](int i) { return old_.nodes[std::size_t(nodes[i])]; });
    };
    std::sort(part.begin(), part.end(), [&](int a, int b) { return corner(a).node < corner(b).node; });
    for (const int i : part) {
      out.push_back(corner(i).node);
      if (std::size_t(i) >= Corners) new_.nodes[std::size_t(corner(i).node)] = position(corner(i).place);
    }
    if (!curved) return;
    for (const auto& [i, j] : edges) {
      const int a = part[std::size_t(i)], b = part[std::size_t(j)];
      std::size_t whole = 0;
      while (whole < Edges && edges[whole] != std::array{std::min(a, b), std::max(a, b)}) ++whole;
      if (whole < Edges) {
        out.push_back(nodes[Corners + whole]);
        continue;
      }
      const auto [place, is_new] =
          middles_.try_emplace({corner(a).node, corner(b).node}, Index(new_.nodes.size()));
      if (is_new) {
        auto middle = corner(a).place;
        for (std::size_t k = 0; k < Corners; ++k) middle[k] = 0.5 * (middle[k] + corner(b).place[k]);
        new_.nodes.push_back(position(middle));
      }
      out.push_back(place->second);
    }
  }

  static constexpr int others_[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  const Mesh& old_;
  Mesh new_;
  std::map<VertexPair, Place> cuts_;
  std::map<VertexPair, Index> middles_;
};

}  // namespace

Mesh cut_edges(const Mesh& mesh, const std::map<VertexPair, double>& cuts, std::vector<Index>& parents) {
  return Cutting(mesh, cuts).cut(parents);
}

}  // namespace curlew::mesh
