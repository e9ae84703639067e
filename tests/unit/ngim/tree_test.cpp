// SPDX-License-Identifier: BSD-3-Clause
// The octree and its lists: every pair of points is met exactly once, near or far.

#include "ngim/tree.hpp"

#include <gtest/gtest.h>

#include <map>

#include "base/error.hpp"
#include "clouds.hpp"
#include "ngim/lists.hpp"

namespace curlew::ngim {
namespace {

Tree tree_of(const Points& sources, const Points& targets, bool same, Offset leaf) {
  return build_tree(sources, targets, same, [leaf](int, double) { return leaf; });
}

TEST(Tree, HoldsEveryPointInItsBox) {
  const Points points = cloud("graded", 3000);
  const Tree tree = tree_of(points, {}, true, 20);

  std::vector<int> seen(points.size(), 0);
  for (const Index l : tree.leaves) {
    const Box& box = tree.boxes[l];
    const double half = 0.5 / double(1u << box.level);
    for (Offset i = box.source_begin; i < box.source_end; ++i) {
      ++seen[tree.sources.original[i]];
      EXPECT_LE(std::abs(tree.sources.x[i] - center(box).x), half * (1 + 1e-9));
      EXPECT_LE(std::abs(tree.sources.y[i] - center(box).y), half * (1 + 1e-9));
      EXPECT_LE(std::abs(tree.sources.z[i] - center(box).z), half * (1 + 1e-9));
    }
    EXPECT_TRUE(box.num_sources() <= 20 || box.level == max_level);
  }
  for (const int count : seen) EXPECT_EQ(count, 1);
  EXPECT_GT(tree.num_levels(), 12) << "a graded cloud needs a deep tree";
}

/// Counts how often the points of two leaves meet through near sums, interaction lists and leaves of other
/// levels.
TEST(Lists, MeetEveryPairOnce) {
  for (const int first_grid_level : {2, 4}) {
    const Points sources = cloud("graded", 700), targets = cloud("inverse_t", 500);
    const Tree tree = tree_of(sources, targets, false, 8);
    const auto lists = build_lists(tree, first_grid_level, std::vector<Index>(tree.num_levels(), 3));
    std::vector<std::vector<int>> met(targets.size(), std::vector<int>(sources.size(), 0));
    const auto meet = [&](const Box& t, const Box& s) {
      for (Offset i = t.target_begin; i < t.target_end; ++i) {
        for (Offset j = s.source_begin; j < s.source_end; ++j) ++met[i][j];
      }
    };

    for (std::size_t l = 0; l < tree.leaves.size(); ++l) {
      for (const Index s : lists.near.row(l)) meet(tree.boxes[tree.leaves[l]], tree.boxes[s]);
      for (const Index s : lists.from_grids.row(l)) meet(tree.boxes[tree.leaves[l]], tree.boxes[s]);
    }
    for (Index t = 0; t < Index(tree.boxes.size()); ++t) {
      for (const Index s : lists.to_grids.row(t)) {
        EXPECT_GE(tree.boxes[t].level, first_grid_level);
        meet(tree.boxes[t], tree.boxes[s]);
      }
      for_interaction_list(tree, t, [&](Index s, int offset) {
        EXPECT_FALSE(is_adjacent(tree.boxes[t], tree.boxes[s]));
        EXPECT_EQ(offset, offset_index(tree.boxes[t], tree.boxes[s]));
        meet(tree.boxes[t], tree.boxes[s]);
      });
    }

    for (const auto& row : met) {
      for (const int count : row) ASSERT_EQ(count, 1) << "first grid level " << first_grid_level;
    }
  }
}

TEST(Tree, RefusesWhatIsNoPoint) {
  EXPECT_THROW(tree_of({{0, 0, 0}, {0, NAN, 0}}, {}, true, 8), InputError);
  EXPECT_THROW(tree_of({{0, 0, INFINITY}}, {}, true, 8), InputError);
  EXPECT_THROW(tree_of({{0, 0, 0}, {1e200, 0, 0}}, {}, true, 8), InputError);
}

}  // namespace
}  // namespace curlew::ngim
