// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/lists.hpp"

#include <utility>

namespace curlew::ngim {
namespace {

using Entries = std::vector<std::pair<Index, Index>>;  // row, box

class Builder {
 public:
  Builder(const Tree& tree, int first_grid_level, const std::vector<Index>& grid_size)
      : tree_(tree),
        first_grid_level_(first_grid_level),
        grid_size_(grid_size),
        leaf_of_(tree.boxes.size(), no_box) {
    for (Index i = 0; i < Index(tree.leaves.size()); ++i) leaf_of_[tree.leaves[i]] = i;
  }

  void visit(Index leaf) {
    const Index b = tree_.leaves[leaf];
    for (const Index colleague : tree_.colleagues[b]) {
      if (colleague == no_box) continue;
      if (tree_.boxes[colleague].is_leaf) {
        add_near(b, colleague);
      } else {
        for (const Index child : tree_.boxes[colleague].children) {
          if (child == no_box) continue;
          if (tree_.boxes[b].num_targets() > 0) down_sources(b, child);
          if (tree_.boxes[b].num_sources() > 0) down_targets(child, b);
        }
      }
    }
  }

  Entries near, from_grids, to_grids;

 private:
  void add_near(Index target, Index source) {
    if (tree_.boxes[target].num_targets() > 0 && tree_.boxes[source].num_sources() > 0) {
      near.emplace_back(leaf_of_[target], source);
    }
  }

  /// The target leaf interacts with a smaller source box.
  void down_sources(Index target, Index source) {
    const Box& box = tree_.boxes[source];
    if (box.num_sources() == 0) return;
    const bool small = box.is_leaf && box.num_sources() <= grid_size_[box.level];
    if (small || (box.is_leaf && is_adjacent(tree_.boxes[target], box))) {
      near.emplace_back(leaf_of_[target], source);
    } else if (!is_adjacent(tree_.boxes[target], box)) {
      from_grids.emplace_back(leaf_of_[target], source);
    } else {
      for (const Index child : box.children) {
        if (child != no_box) down_sources(target, child);
      }
    }
  }

  /// The source leaf interacts with a smaller target box. Boxes without an incoming grid pass it on to their
  /// children.
  void down_targets(Index target, Index source) {
    const Box& box = tree_.boxes[target];
    if (box.num_targets() == 0) return;
    const bool has_grid = box.level >= first_grid_level_;
    const bool adjacent = is_adjacent(box, tree_.boxes[source]);
    const bool small = box.is_leaf && box.num_targets() <= grid_size_[box.level];
    if (box.is_leaf && (adjacent || small || !has_grid)) {
      near.emplace_back(leaf_of_[target], source);
    } else if (!adjacent && has_grid) {
      to_grids.emplace_back(target, source);
    } else {
      for (const Index child : box.children) {
        if (child != no_box) down_targets(child, source);
      }
    }
  }

  const Tree& tree_;
  int first_grid_level_;
  const std::vector<Index>& grid_size_;
  std::vector<Index> leaf_of_;
};

BoxLists compress(const Entries& entries, std::size_t num_rows) {
  BoxLists lists;
  lists.offsets.assign(num_rows + 1, 0);
  for (const auto& [row, box] : entries) ++lists.offsets[row + 1];
  for (std::size_t i = 0; i < num_rows; ++i) lists.offsets[i + 1] += lists.offsets[i];
  lists.values.resize(entries.size());
  std::vector<Offset> next(lists.offsets.begin(), lists.offsets.end() - 1);
  for (const auto& [row, box] : entries) lists.values[next[row]++] = box;
  return lists;
}

}  // namespace

InteractionLists build_lists(const Tree& tree, int first_grid_level, const std::vector<Index>& grid_size) {
  Builder builder(tree, first_grid_level, grid_size);
  for (Index i = 0; i < Index(tree.leaves.size()); ++i) builder.visit(i);
  InteractionLists lists;
  lists.near = compress(builder.near, tree.leaves.size());
  lists.from_grids = compress(builder.from_grids, tree.leaves.size());
  lists.to_grids = compress(builder.to_grids, tree.boxes.size());
  return lists;
}

}  // namespace curlew::ngim
