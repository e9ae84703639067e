// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/edge_layers.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "base/constants.hpp"
#include "mesh/simplex_map.hpp"

namespace curlew::mesh {
namespace {

using Edge = std::pair<Index, Index>;  ///< ascending

constexpr double rim_angle = 300 * pi / 180;

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

/// The cells around an edge: which are one part without a conductor between them, and how wide it is.
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

/// A vertex of the parts of an element.
template <std::size_t Corners>
struct Corner {
  Index node;
  std::array<double, Corners> place;  ///< barycentric
};

using Polygon = std::vector<int>;  ///< corners in order

/// Of a polygon, from its least node.
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

/// Of a convex body, from its least node.
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

/// One round of cuts: edges get new vertices, cells and triangles their parts.
class Round {
 public:
  /// @param cuts of edges at a share of their length from the lower vertex
  Round(const Mesh& mesh, const std::map<Edge, double>& cuts) : old_(mesh), new_(mesh) {
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
  std::map<Edge, Place> cuts_;
  std::map<Edge, Index> middles_;
};

/// Calls visit(edge, cell) for the edges of all cells.
template <class Visit>
void each_edge(const Mesh& mesh, const Visit& visit) {
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const auto& [a, b] : cell_edge_vertices) visit(Edge{mesh.cell(c)[a], mesh.cell(c)[b]}, c);
}

/// Edges between vertices of rims that are no rims themselves; at most one of each cell.
std::map<Edge, double> edges_across(const Mesh& mesh, const std::set<Edge>& rim, const std::set<Index>& at) {
  std::map<Edge, std::vector<Index>> cells;
  each_edge(mesh, [&](const Edge& edge, Index c) {
    if (at.count(edge.first) && at.count(edge.second) && !rim.count(edge)) cells[edge].push_back(c);
  });
  std::vector<char> taken(std::size_t(mesh.num_cells()));
  std::map<Edge, double> cuts;
  for (const auto& [edge, users] : cells) {
    if (std::any_of(users.begin(), users.end(), [&](Index c) { return taken[std::size_t(c)]; })) continue;
    for (const Index c : users) taken[std::size_t(c)] = 1;
    cuts[edge] = 0.5;
  }
  return cuts;
}

/// Edges that leave a rim.
std::map<Edge, double> edges_away(const Mesh& mesh, const std::set<Index>& at) {
  std::map<Edge, double> cuts;
  each_edge(mesh, [&](const Edge& edge, Index) {
    const bool first = at.count(edge.first), second = at.count(edge.second);
    if (first != second) cuts[edge] = first ? layer_share : 1 - layer_share;
  });
  return cuts;
}

/// Without nodes that nothing has; the others keep their order.
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

std::vector<char> rims(const Mesh& mesh, const Topology& topology, std::span<const Index> conductors) {
  std::vector<char> conducts(std::size_t(topology.num_faces())), rim(std::size_t(topology.num_edges()));
  std::map<Index, std::vector<Index>> cells;  // of edges of conductors
  for (const Index t : conductors) {
    const Index face = topology.triangle_face[std::size_t(t)];
    conducts[std::size_t(face)] = 1;
    for (const Index e : topology.face_edges[std::size_t(face)]) cells[e];
  }
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const Index e : topology.cell_edges[std::size_t(c)])
      if (const auto found = cells.find(e); found != cells.end()) found->second.push_back(c);
  const Around around(mesh, topology, conducts);
  for (const auto& [edge, users] : cells) rim[std::size_t(edge)] = around.widest(edge, users) > rim_angle;
  return rim;
}

EdgeLayers add_edge_layers(const Mesh& mesh, const Topology& topology, const std::vector<char>& rims,
                           int layers) {
  EdgeLayers out{mesh, std::vector<Index>(std::size_t(mesh.num_cells()))};
  std::iota(out.parents.begin(), out.parents.end(), 0);
  std::set<Edge> rim;
  std::set<Index> at;
  for (std::size_t e = 0; e < rims.size(); ++e) {
    if (!rims[e]) continue;
    const auto [a, b] = topology.edges[e];
    rim.insert({a, b}), at.insert(a), at.insert(b);
  }
  if (rim.empty() || layers == 0) return out;
  for (auto cuts = edges_across(out.mesh, rim, at); !cuts.empty(); cuts = edges_across(out.mesh, rim, at))
    out.mesh = Round(out.mesh, cuts).cut(out.parents);
  for (int layer = 0; layer < layers; ++layer)
    out.mesh = Round(out.mesh, edges_away(out.mesh, at)).cut(out.parents);
  if (!mesh.element_orders.empty()) {
    out.mesh.element_orders.clear();
    for (const Index parent : out.parents)
      out.mesh.element_orders.push_back(mesh.element_orders[std::size_t(parent)]);
  }
  if (mesh.geometry_order == 2) drop_unused(out.mesh);
  return out;
}

}  // namespace curlew::mesh
