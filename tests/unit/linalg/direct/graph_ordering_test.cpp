// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/graph_ordering.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "linalg/direct/direct_solver.hpp"
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
  Coo<double> coo{4, 4, {}, {}, {}};  // 0 and 1 see each other and 2; 3 stands alone; no diagonal but 1's
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

TEST(NestedDissection, FillsLessThanMinimumDegreeOnAGrid) {
  const auto a = helmholtz_like(22);
  const auto factor_flops = [&](Ordering ordering) {
    auto solver = make_direct_solver<Complex>({.ordering = ordering});
    solver->analyse(a);
    return solver->info().factor_flops;
  };

  EXPECT_LT(factor_flops(Ordering::metis), 0.9 * factor_flops(Ordering::amd));
}

}  // namespace
}  // namespace curlew::linalg
