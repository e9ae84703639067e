// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/supernodes.hpp"

#include <algorithm>
#include <numeric>

namespace curlew::linalg {
namespace {

struct TreePattern {
  std::span<const Offset> offsets;
  std::span<const Index> columns;

  std::span<const Index> row(Index i) const {
    return columns.subspan(std::size_t(offsets[std::size_t(i)]),
                           std::size_t(offsets[std::size_t(i) + 1] - offsets[std::size_t(i)]));
  }
};

std::vector<Index> inverse_of(const std::vector<Index>& permutation) {
  std::vector<Index> inverse(permutation.size());
  for (std::size_t i = 0; i < permutation.size(); ++i) inverse[std::size_t(permutation[i])] = Index(i);
  return inverse;
}

/// Parent of every position: the first one below it in its column of the factor. Paths are compressed.
std::vector<Index> elimination_tree(const TreePattern& pattern, const std::vector<Index>& position) {
  const std::vector<Index> unknown = inverse_of(position);
  std::vector<Index> parent(position.size(), -1), ancestor(position.size(), -1);
  for (Index j = 0; j < Index(position.size()); ++j)
    for (const Index column : pattern.row(unknown[std::size_t(j)]))
      for (Index i = position[std::size_t(column)]; i >= 0 && i < j;) {
        const Index next = ancestor[std::size_t(i)];
        ancestor[std::size_t(i)] = j;
        if (next < 0) parent[std::size_t(i)] = j;
        i = next;
      }
  return parent;
}

/// Children before parents, each subtree contiguous: the new index of every position.
std::vector<Index> postorder(const std::vector<Index>& parent) {
  const auto n = Index(parent.size());
  std::vector<Index> child(parent.size(), -1), sibling(parent.size(), -1), place(parent.size());
  std::vector<Index> stack;
  for (Index j = n - 1; j >= 0; --j) {
    const Index above = parent[std::size_t(j)];
    if (above < 0) continue;
    sibling[std::size_t(j)] = child[std::size_t(above)], child[std::size_t(above)] = j;
  }
  Index next = 0;
  for (Index root = 0; root < n; ++root) {
    if (parent[std::size_t(root)] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const Index j = stack.back(), down = child[std::size_t(j)];
      if (down >= 0) {
        child[std::size_t(j)] = sibling[std::size_t(down)];
        stack.push_back(down);
        continue;
      }
      place[std::size_t(j)] = next++;
      stack.pop_back();
    }
  }
  return place;
}

struct FoundNode {
  Index first = 0, end = 0;
  std::vector<Index> rows{};  // below it
  double zeros = 0;           // stored though they are zero

  double entries() const {
    const double width = end - first;
    return width * (width + 1) / 2 + width * double(rows.size());
  }
};

/// Whether a node and its last child make one: narrow ones waste less by zeros than by their overhead. The
/// limits are those of CHOLMOD (Y. Chen et al., ACM Trans. Math. Softw. 35 (2008) 22).
bool unites(const FoundNode& united) {
  const Index width = united.end - united.first;
  const double share = united.zeros / united.entries();
  return width <= 4 || (width <= 16 && share < 0.8) || (width <= 48 && share < 0.1) || share < 0.05;
}

class NodeFinder {
 public:
  NodeFinder(const TreePattern& pattern, const Supernodes& s) : pattern_(pattern), s_(s) {
    mark_.assign(std::size_t(s.size()), -1);
    below_.resize(std::size_t(s.size())), children_.resize(std::size_t(s.size()));
    for (Index j = 0; j < s.size(); ++j) add_column(j);
    add_node(first_, s.size());
  }
  std::vector<FoundNode> nodes{};

 private:
  /// Rows below j: of the matrix, and of the columns whose parent is j.
  void add_column(Index j) {
    auto& below = below_[std::size_t(j)];
    mark_[std::size_t(j)] = j;
    const auto add = [&](Index i) {
      if (i <= j || mark_[std::size_t(i)] == j) return;
      mark_[std::size_t(i)] = j;
      below.push_back(i);
    };
    for (const Index child : children_[std::size_t(j)])
      for (const Index i : below_[std::size_t(child)]) add(i);
    for (const Index column : pattern_.row(s_.order[std::size_t(j)])) add(s_.place[std::size_t(column)]);
    const bool goes_on = j > first_ && !children_[std::size_t(j)].empty() &&
                         children_[std::size_t(j)].back() == j - 1 &&
                         below_[std::size_t(j) - 1].size() == below.size() + 1;
    if (j > first_ && !goes_on) add_node(first_, j), first_ = j;
    for (const Index child : children_[std::size_t(j)]) below_[std::size_t(child)] = {};
    if (!below.empty()) children_[std::size_t(std::ranges::min(below))].push_back(j);
  }
  void add_node(Index first, Index end) {
    if (first == end) return;
    FoundNode node{first, end, below_[std::size_t(end) - 1]};
    std::ranges::sort(node.rows);
    while (!nodes.empty() && !nodes.back().rows.empty() && nodes.back().rows.front() < end) {
      const FoundNode& child = nodes.back();
      FoundNode united{child.first, end, {}, child.zeros + node.zeros};
      united.zeros += double(child.end - child.first) *
                      (double(end - node.first) + double(node.rows.size()) - double(child.rows.size()));
      united.rows = node.rows;
      if (!unites(united)) break;
      node = std::move(united);
      nodes.pop_back();
    }
    nodes.push_back(std::move(node));
  }

  const TreePattern& pattern_;
  const Supernodes& s_;
  std::vector<Index> mark_;
  std::vector<std::vector<Index>> below_, children_;
  Index first_ = 0;  // of the node that grows
};

}  // namespace

double Supernodes::entries() const {
  double sum = 0;
  for (Index s = 0; s < count(); ++s) sum += double(width(s)) * double(width(s) + Index(below(s).size()));
  return sum;
}

double Supernodes::flops() const {
  double sum = 0;
  for (Index s = 0; s < count(); ++s)
    for (Index c = 0; c < width(s); ++c) {
      const double under = double(width(s) - c - 1) + double(below(s).size());
      sum += 4 * under * under;  // half of a square of complex products and sums
    }
  return sum;
}

Supernodes find_supernodes(std::span<const Offset> offsets, std::span<const Index> columns,
                           const std::vector<Index>& positions) {
  const TreePattern pattern{offsets, columns};
  Supernodes s;
  const std::vector<Index> after = postorder(elimination_tree(pattern, positions));
  for (const Index position : positions) s.place.push_back(after[std::size_t(position)]);
  s.order = inverse_of(s.place);
  s.offsets.push_back(0);
  std::vector<Index> node_of(positions.size());
  const NodeFinder found(pattern, s);
  for (const FoundNode& node : found.nodes) {
    std::fill(node_of.begin() + node.first, node_of.begin() + node.end, Index(s.first.size()));
    s.first.push_back(node.first);
    s.rows.insert(s.rows.end(), node.rows.begin(), node.rows.end());
    s.offsets.push_back(Offset(s.rows.size()));
  }
  s.first.push_back(s.size());
  for (const FoundNode& node : found.nodes)
    s.parent.push_back(node.rows.empty() ? -1 : node_of[std::size_t(node.rows.front())]);
  return s;
}

}  // namespace curlew::linalg
