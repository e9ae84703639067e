// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/gradient_split.hpp"

#include <array>

#include "base/sets.hpp"

namespace curlew::fem {
namespace {

/// Vertices of the mesh with every conductor as one.
struct Vertices {
  std::vector<Index> of_node;      ///< [num_nodes] a representative node of the same vertex
  std::vector<char> is_conductor;  ///< [num_nodes] by representatives
};

Vertices join_conductors(const NedelecSpace& space) {
  const auto& edges = space.topology->edges;
  Sets<Index> sets(space.mesh->nodes.size());
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (space.edge_number[e] < 0) sets.join(edges[e][0], edges[e][1]);
  Vertices vertices{sets.roots(), std::vector<char>(space.mesh->nodes.size(), 0)};
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (space.edge_number[e] < 0)
      vertices.is_conductor[std::size_t(vertices.of_node[std::size_t(edges[e][0])])] = 1;
  return vertices;
}

/// Edges of a spanning forest, grown in breadth from conductors: the tree's paths stay short.
class Forest {
 public:
  Forest(const NedelecSpace& space, const Vertices& vertices) : edge_of_(vertices.of_node.size(), -1) {
    const auto& edges = space.topology->edges;
    std::vector<std::vector<std::array<Index, 2>>> neighbours(vertices.of_node.size());  // {edge, vertex}
    for (std::size_t e = 0; e < edges.size(); ++e) {
      if (space.edge_number[e] < 0) continue;
      const Index a = vertices.of_node[std::size_t(edges[e][0])],
                  b = vertices.of_node[std::size_t(edges[e][1])];
      if (a == b) continue;  // from a conductor to itself
      neighbours[std::size_t(a)].push_back({Index(e), b});
      neighbours[std::size_t(b)].push_back({Index(e), a});
    }
    std::vector<char> reached(vertices.of_node.size(), 0);
    for (const bool conductors : {true, false})
      for (std::size_t v = 0; v < reached.size(); ++v)
        if (!reached[v] && !neighbours[v].empty() && (!conductors || vertices.is_conductor[v]))
          grow(Index(v), neighbours, reached);
  }
  /// Edge whose function a vertex's gradient replaces, -1 for grounds.
  Index edge_of(Index vertex) const { return edge_of_[std::size_t(vertex)]; }

 private:
  void grow(Index root, const std::vector<std::vector<std::array<Index, 2>>>& neighbours,
            std::vector<char>& reached) {
    std::vector<Index> front{root};
    reached[std::size_t(root)] = 1;
    for (std::size_t i = 0; i < front.size(); ++i)
      for (const auto& [edge, next] : neighbours[std::size_t(front[i])]) {
        if (reached[std::size_t(next)]) continue;
        reached[std::size_t(next)] = 1;
        edge_of_[std::size_t(next)] = edge;
        front.push_back(next);
      }
  }
  std::vector<Index> edge_of_;
};

void mark_higher_gradients(const NedelecSpace& space, GradientSplit& split) {
  for (int level = 2; level <= space.order; ++level) {
    for (Index e = 0; e < space.level_edges[std::size_t(level - 1)]; ++e)
      split.is_gradient[std::size_t(space.edge_dof(level, e))] = 1;
    for (Index f = 0; f < space.level_faces[std::size_t(level - 1)]; ++f)
      for (int i = 0; i < face_gradients_added(level); ++i)
        split.is_gradient[std::size_t(space.face_dof(level, f) + i)] = 1;
  }
}

}  // namespace

GradientSplit split_gradients(const NedelecSpace& space) {
  const auto n = std::size_t(space.num_dofs());
  GradientSplit split{std::vector<char>(n, 0), std::vector<char>(n, 0), {}};
  mark_higher_gradients(space, split);
  const Vertices vertices = join_conductors(space);
  const Forest forest(space, vertices);
  const auto dof_of = [&](Index edge) { return space.edge_dof(1, space.edge_number[std::size_t(edge)]); };
  for (std::size_t v = 0; v < vertices.of_node.size(); ++v) {
    const Index edge = forest.edge_of(Index(v));
    if (edge < 0) continue;
    split.is_gradient[std::size_t(dof_of(edge))] = 1;
    split.is_conductor[std::size_t(dof_of(edge))] = vertices.is_conductor[v];
  }
  linalg::Coo<double> basis;
  basis.num_rows = basis.num_cols = space.num_dofs();
  const auto& edges = space.topology->edges;
  for (std::size_t e = 0; e < edges.size(); ++e) {
    if (space.edge_number[e] < 0) continue;
    const Index row = dof_of(Index(e));
    if (!split.is_gradient[std::size_t(row)]) basis.add(row, row, 1);
    for (int end = 0; end < 2; ++end) {  // ∇λ = Σ W over the edges that end at the vertex
      const Index at = forest.edge_of(vertices.of_node[std::size_t(edges[e][std::size_t(end)])]);
      if (at >= 0) basis.add(row, dof_of(at), end == 0 ? -1 : 1);
    }
  }
  for (Index i = space.block_offsets[1]; i < space.num_dofs(); ++i) basis.add(i, i, 1);
  split.basis = linalg::to_csr(basis);
  return split;
}

}  // namespace curlew::fem
