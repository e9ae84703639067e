// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/graph_ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "linalg/direct/supernodes.hpp"
#include "test_matrices.hpp"

namespace curlew::linalg {
namespace {

TEST(QuotientGraph, UnknownsOfAPointBecomeOneVertex) {
  const auto fine = helmholtz_like(4, 3), coarse = helmholtz_like(4, 1);

  const auto graph = compress_pattern(fine.row_offsets, fine.columns);

  ASSERT_EQ(graph.num_groups(), coarse.num_rows);
  EXPECT_EQ(graph.offsets.back(), coarse.nnz() - coarse.num_rows);  // no vertex neighbours itself
  for (Index i = 0; i < fine.num_rows; ++i) EXPECT_EQ(graph.group_of[i], i / 3);
  EXPECT_TRUE(std::ranges::all_of(graph.group_sizes, [](Index size) { return size == 3; }));
}

TEST(QuotientGraph, MissingDiagonalsDoNotSplitGroups) {
  Coo<double> coo{4, 4, {}, {}, {}};  // 0, 1, 2 are coupled, 3 is not; one diagonal entry
  for (const auto& [i, j] : {std::pair{0, 1}, {0, 2}, {1, 2}}) coo.add(i, j, 1), coo.add(j, i, 1);
  coo.add(1, 1, 1);
  const auto a = to_csr(coo);

  const auto graph = compress_pattern(a.row_offsets, a.columns);

  EXPECT_EQ(graph.group_of, (std::vector<Index>{0, 0, 0, 1}));
}

TEST(NestedDissection, IsAPermutationThatKeepsGroupsTogether) {
  const auto a = helmholtz_like(8, 2);
  const auto graph = compress_pattern(a.row_offsets, a.columns);

  auto positions = nested_dissection(graph);

  for (Index i = 0; i < a.num_rows; i += 2) EXPECT_EQ(positions[i] + 1, positions[i + 1]);
  std::ranges::sort(positions);
  std::vector<Index> all(a.num_rows);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_EQ(positions, all);
}

/// A cube of N nodes takes N^2 b operations in the order of its planes of N^(2/3) nodes, N^2 by dissection.
TEST(NestedDissection, TakesFewerOperationsThanTheOrderOfAGrid) {
  const auto a = helmholtz_like(16);
  std::vector<Index> in_order(std::size_t(a.num_rows));
  std::iota(in_order.begin(), in_order.end(), 0);
  const auto flops = [&](const std::vector<Index>& positions) {
    return find_supernodes(a.row_offsets, a.columns, positions).flops();
  };

  EXPECT_LT(flops(nested_dissection(compress_pattern(a.row_offsets, a.columns))), 0.5 * flops(in_order));
}

QuotientGraph graph_of(const std::vector<std::vector<Index>>& neighbours) {
  QuotientGraph graph;
  graph.group_sizes.assign(neighbours.size(), 1);
  graph.offsets.push_back(0);
  for (const auto& of : neighbours) {
    graph.neighbours.insert(graph.neighbours.end(), of.begin(), of.end());
    graph.offsets.push_back(Offset(graph.neighbours.size()));
  }
  return graph;
}

// The parts of a path, whose vertices stand in another order than their numbers, are pieces of it: one cut
// between two of them.
TEST(Bisection, HalvesAPathAtEachLevel) {
  constexpr Index n = 96, parts = 32;
  const auto at = [](Index place) { return 35 * place % n; };  // 35 and 96 have no common factor
  std::vector<std::vector<Index>> neighbours(n);
  for (Index place = 0; place < n; ++place)
    for (const Index next : {place - 1, place + 1})
      if (next >= 0 && next < n) neighbours[at(place)].push_back(at(next));

  const auto part = bisect_graph(graph_of(neighbours), parts);

  for (int level = 0; level <= 5; ++level) {
    const Index count = parts >> level;
    std::vector<Index> sizes(count, 0);
    Index cuts = 0;
    for (Index place = 0; place < n; ++place) {
      ++sizes[part[at(place)] >> level];
      cuts += place > 0 && part[at(place)] >> level != part[at(place - 1)] >> level;
    }
    EXPECT_EQ(cuts, count - 1) << count;
    EXPECT_LE(std::ranges::max(sizes) - std::ranges::min(sizes), level < 4 ? 2 : 4) << count;
  }
}

TEST(Bisection, PiecesThatDoNotTouchAreHalvedToo) {
  const auto part = bisect_graph(graph_of({{1}, {0}, {}, {4}, {3}, {}}), 2);
  EXPECT_EQ(std::ranges::count(part, 0), 3);
  EXPECT_EQ(std::ranges::count(part, 1), 3);
  EXPECT_EQ(part[0], part[1]);
}

}  // namespace
}  // namespace curlew::linalg
