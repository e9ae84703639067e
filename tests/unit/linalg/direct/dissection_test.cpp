// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/dissection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

/// A chain 0 - 1 - ... of 2 ^ levels - 1 unknowns: the middle one separates its halves, and so on.
Csr<double> chain(Index n) {
  Coo<double> coo{n, n, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    coo.add(i, i, 2);
    if (i > 0) coo.add(i, i - 1, -1), coo.add(i - 1, i, -1);
  }
  return to_csr(coo);
}

DissectionTree tree_of_chain(int levels) {
  DissectionTree tree{Index(1) << (levels - 1), std::vector<Index>((std::size_t(1) << levels) - 1)};
  const auto divide = [&](auto&& self, Index node, Index first, Index last) -> void {
    if (first > last) return;
    const Index middle = (first + last) / 2;
    tree.node_of[std::size_t(middle)] = node;
    self(self, 2 * node, first, middle - 1), self(self, 2 * node + 1, middle + 1, last);
  };
  divide(divide, 1, 0, Index(tree.node_of.size()) - 1);
  return tree;
}

/// Fill of an elimination without pivots, the diagonal counted, by its definition.
std::size_t fill(const Csr<double>& a, const std::vector<int>& order) {
  const auto n = std::size_t(a.num_rows);
  std::vector<std::vector<bool>> filled(n, std::vector<bool>(n, false));
  std::vector<std::size_t> place(n);
  for (std::size_t k = 0; k < n; ++k) place[std::size_t(order[k])] = k;
  for (std::size_t i = 0; i < n; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
      filled[place[i]][place[std::size_t(a.columns[std::size_t(k)])]] = true;
  std::size_t count = 0;
  for (std::size_t p = 0; p < n; ++p) {
    for (std::size_t i = p; i < n; ++i) {
      if (!filled[i][p]) continue;
      ++count;
      for (std::size_t j = p + 1; j < n; ++j)
        if (filled[j][p]) filled[i][j] = filled[j][i] = true;
    }
  }
  return count;
}

TEST(Dissection, CommonAncestors) {
  EXPECT_EQ(common_ancestor(8, 9), 4);
  EXPECT_EQ(common_ancestor(8, 11), 2);
  EXPECT_EQ(common_ancestor(9, 2), 2);
  EXPECT_EQ(common_ancestor(3, 14), 3);
  EXPECT_EQ(common_ancestor(5, 6), 1);
  EXPECT_EQ(common_ancestor(7, 7), 7);
}

/// Each level from left to right, the lowest first.
TEST(Dissection, LowerLevelsAreEliminatedFirst) {
  const auto order = elimination_order(tree_of_chain(3), 3);
  EXPECT_EQ(order.unknowns, (std::vector<int>{0, 2, 4, 6, 1, 5, 3}));
  EXPECT_EQ(order.part_sizes, std::vector<int>(7, 1));
  EXPECT_EQ(order.levels(), 3);
}

/// Whatever the number of levels, the elimination stays that of the whole tree: a chain of 63 has one entry
/// more a level above the leaves.
TEST(Dissection, LevelsThatAreLeftOutStandInTheLeaves) {
  const auto a = chain(63);
  const auto tree = tree_of_chain(6);
  const std::size_t least = fill(a, elimination_order(tree, 6).unknowns);
  std::vector<int> natural(63);
  std::iota(natural.begin(), natural.end(), 0);
  EXPECT_GT(least, fill(a, natural));  // a chain fills nothing from one end to the other
  for (const int levels : {1, 2, 4, 6, 9}) {
    const auto order = elimination_order(tree, levels);
    EXPECT_EQ(order.levels(), std::min(levels, 6));
    EXPECT_EQ(std::accumulate(order.part_sizes.begin(), order.part_sizes.end(), 0), 63);
    EXPECT_EQ(order.part_sizes.back(), levels == 1 ? 63 : 1);
    EXPECT_EQ(fill(a, order.unknowns), least) << levels;
  }
}

/// No entry may join two parts of which neither is above the other.
template <class T>
bool fits(const DissectionTree& tree, const Csr<T>& a) {
  for (Index i = 0; i < a.num_rows; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const Index m = tree.node_of[i], n = tree.node_of[a.columns[k]], above = common_ancestor(m, n);
      if (above != m && above != n) return false;
    }
  }
  return true;
}

TEST(Dissection, AFittingTreeStaysAsItIs) {
  const auto a = chain(31);
  auto tree = tree_of_chain(5);
  ASSERT_TRUE(fits(tree, a));
  const auto before = tree.node_of;
  fit_to_pattern(tree, a);
  EXPECT_EQ(tree.node_of, before);
}

TEST(Dissection, UnknownsWithOtherNeighboursMoveUp) {
  Coo<double> coo{31, 31, {}, {}, {}};
  const auto a = chain(31);
  for (Index i = 0; i < 31; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) coo.add(i, a.columns[k], a.values[k]);
  coo.add(0, 30, 1), coo.add(30, 0, 1);  // the ends, in both halves
  const auto ring = to_csr(coo);
  auto tree = tree_of_chain(5);
  ASSERT_FALSE(fits(tree, ring));
  const auto before = tree.node_of;
  fit_to_pattern(tree, ring);
  EXPECT_TRUE(fits(tree, ring));
  EXPECT_EQ(tree.node_of[30], 1);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(tree.node_of[i], before[i]) << i;
}

/// A tree that does not depend on the matrix.
TEST(Dissection, AnyTreeFitsInTheEnd) {
  const auto a = helmholtz_like(6, 2);
  DissectionTree tree{16, std::vector<Index>(std::size_t(a.num_rows))};
  for (std::size_t i = 0; i < tree.node_of.size(); ++i) tree.node_of[i] = 16 + Index(i * 7 % 16);
  ASSERT_FALSE(fits(tree, a));
  fit_to_pattern(tree, a);
  EXPECT_TRUE(fits(tree, a));
}

}  // namespace
}  // namespace curlew::linalg
