// SPDX-License-Identifier: BSD-3-Clause
#include "ie/loop_tree.hpp"

#include <algorithm>
#include <numeric>

namespace curlew::ie {
namespace {

/// Merges sets; the root of every set is its smallest member.
class Sets {
 public:
  explicit Sets(Index n) : parent_(std::size_t(n)) { std::iota(parent_.begin(), parent_.end(), 0); }
  Index root(Index i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  bool merge(Index a, Index b) {
    a = root(a), b = root(b);
    if (a == b) return false;
    parent_[std::max(a, b)] = std::min(a, b);
    return true;
  }

 private:
  std::vector<Index> parent_;
};

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
  // From where the current arrives back to where it leaves: up from both ends to where the branches meet.
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

LoopTree make_loop_tree(const SurfaceMesh& mesh, const RwgSpace& space) {
  const TriangleTree tree = grow(mesh, space);
  // Nodes on open or branching edges carry no loop: they are one node for the count.
  std::vector<char> bound(mesh.nodes.size(), 0);
  std::vector<int> functions_of(mesh.nodes.size(), 0), sides_of(mesh.nodes.size(), 0);
  for (const auto& w : space.functions()) ++functions_of[w.a], ++functions_of[w.b];
  for (const auto& t : mesh.triangles)
    for (const Index n : t) ++sides_of[n];
  for (std::size_t n = 0; n < bound.size(); ++n)
    bound[n] = sides_of[n] == 0 || functions_of[n] != sides_of[n];

  const auto outside = Index(mesh.nodes.size());
  Sets sets(outside + 1);
  const auto node = [&](Index n) { return bound[n] ? outside : n; };
  std::vector<Index> rest;
  for (Index f = 0; f < space.size(); ++f) {
    if (tree.in_tree[f]) continue;
    const auto& w = space.functions()[f];
    if (!sets.merge(node(w.a), node(w.b))) rest.push_back(f);
  }

  linalg::Coo<double> out;
  out.num_rows = out.num_cols = space.size();
  std::vector<Index> column_of(mesh.nodes.size(), -1);
  Index column = 0;
  for (Index n = 0; n < outside; ++n) {
    // One node of every closed set goes without: the smallest, and those joined to the outside all have one.
    if (bound[n] || (sets.root(n) == n && sets.root(outside) != n)) continue;
    column_of[n] = column++;
  }
  for (Index f = 0; f < space.size(); ++f) {
    const auto& w = space.functions()[f];
    // Around a node the current crosses the edge one way, around the other node the other way.
    const auto& t = mesh.triangles[w.plus];
    const bool a_first = t[(w.plus_vertex + 1) % 3] == w.a;
    if (column_of[w.a] >= 0) out.add(f, column_of[w.a], (a_first ? 1 : -1) / w.length);
    if (column_of[w.b] >= 0) out.add(f, column_of[w.b], (a_first ? -1 : 1) / w.length);
  }
  for (const Index f : rest) add_cycle(space, tree, f, column++, out);
  LoopTree result;
  result.num_loops = column;
  for (Index f = 0; f < space.size(); ++f)
    if (tree.in_tree[f]) out.add(f, column++, 1.0);
  result.basis = linalg::to_csr(out);
  return result;
}

}  // namespace curlew::ie
