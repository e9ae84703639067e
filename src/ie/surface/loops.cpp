// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/loops.hpp"

#include "base/sets.hpp"

namespace curlew::ie {
namespace {

struct Step {
  Index triangle, function;
};

/// Breadth-first trees over triangles joined by functions: parent triangle and the function to it (-1: a
/// root).
struct TriangleTree {
  std::vector<Step> up;
  std::vector<Index> depth;
  std::vector<char> in_tree;  // by function
};
TriangleTree grow(const SurfaceMesh& mesh, const RwgSpace& space) {
  TriangleTree tree{std::vector<Step>(mesh.triangles.size(), {-1, -1}),
                    std::vector<Index>(mesh.triangles.size(), -1),
                    std::vector<char>(std::size_t(space.size()), 0)};
  std::vector<Index> queue;
  for (Index seed = 0; seed < mesh.num_triangles(); ++seed) {
    if (tree.depth[seed] >= 0) continue;
    tree.depth[seed] = 0;
    queue.assign(1, seed);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      const Index t = queue[i];
      for (Index a = space.begin(t); a < space.begin(t + 1); ++a) {
        const Index f = space.locals()[a].function;
        const auto& w = space.functions()[f];
        const Index other = w.plus == t ? w.minus : w.plus;
        if (tree.depth[other] >= 0) continue;
        tree.depth[other] = tree.depth[t] + 1;
        tree.up[other] = {t, f};
        tree.in_tree[f] = 1;
        queue.push_back(other);
      }
    }
  }
  return tree;
}

/// The closed current through a function and back along the tree: div = 0 on every triangle.
void add_cycle(const RwgSpace& space, const TriangleTree& tree, Index f, Index column,
               linalg::Coo<double>& out) {
  const auto& w = space.functions()[f];
  out.add(f, column, 1 / w.length);
  // The path back in the tree: up from both ends to the common ancestor.
  Index from = w.minus, to = w.plus;
  const auto walk = [&](Index& at, double sign) {
    const Step step = tree.up[at];
    const auto& g = space.functions()[step.function];
    out.add(step.function, column, sign * (g.plus == at ? 1 : -1) / g.length);
    at = step.triangle;
  };
  while (from != to) {
    if (tree.depth[from] >= tree.depth[to])
      walk(from, 1);
    else
      walk(to, -1);
  }
}

}  // namespace

Loops find_loops(const SurfaceMesh& mesh, const RwgSpace& space) {
  const TriangleTree tree = grow(mesh, space);
  // Nodes on open or branching edges have no loop and are counted as one node.
  std::vector<char> bound(mesh.nodes.size(), 0);
  std::vector<int> functions_of(mesh.nodes.size(), 0), sides_of(mesh.nodes.size(), 0);
  for (const auto& w : space.functions()) ++functions_of[w.a], ++functions_of[w.b];
  for (const auto& t : mesh.triangles)
    for (const Index n : t) ++sides_of[n];
  for (std::size_t n = 0; n < bound.size(); ++n)
    bound[n] = sides_of[n] == 0 || functions_of[n] != sides_of[n];

  const auto outside = Index(mesh.nodes.size());
  Sets<Index> sets(std::size_t(outside) + 1);
  const auto node = [&](Index n) { return bound[n] ? outside : n; };
  Loops loops;
  linalg::Coo<double> around, cycles;
  around.num_rows = cycles.num_rows = space.size(), around.num_cols = outside;
  for (Index f = 0; f < space.size(); ++f) {
    const auto& w = space.functions()[f];
    if (!tree.in_tree[f] && !sets.join(node(w.a), node(w.b)))
      add_cycle(space, tree, f, cycles.num_cols++, cycles);
    // Around a node the current crosses the edge one way, around the other node the other way.
    const bool a_first = mesh.triangles[w.plus][(w.plus_vertex + 1) % 3] == w.a;
    if (!bound[w.a]) around.add(f, w.a, (a_first ? 1 : -1) / w.length);
    if (!bound[w.b]) around.add(f, w.b, (a_first ? -1 : 1) / w.length);
  }
  loops.around = linalg::to_csr(around), loops.cycles = linalg::to_csr(cycles);
  for (Index n = 0; n < outside; ++n) {
    loops.set.push_back(bound[n] ? -1 : sets.root(n));
    loops.joins_outside.push_back(sets.root(n) == sets.root(outside));
  }
  return loops;
}

}  // namespace curlew::ie
