// SPDX-License-Identifier: BSD-3-Clause
#include "fem/cell_dissection.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "fem/assembly.hpp"
#include "test_meshes.hpp"

namespace curlew::fem {
namespace {

class CellDissection : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Orders, CellDissection, testing::Values(1, 2, 3));

/// Functions of cells in different halves never meet, so the tree needs no mending, and the first cut of a
/// cube of n^3 cubes is not much more than a plane: 2 n^2 faces and 3 n^2 + 4 n + 1 edges.
TEST_P(CellDissection, FitsTheMatrixAndCutsLikeAPlane) {
  const int order = GetParam(), n = 6;
  const auto mesh = test::skewed_box({n, n, n}, 1);
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_space(mesh, topology, order);

  auto tree = dissect_cells(space);

  ASSERT_EQ(Index(tree.node_of.size()), space.num_dofs());
  const auto before = tree.node_of;
  linalg::fit_to_pattern(tree, Assembler(space).create_matrix<double>());
  EXPECT_EQ(tree.node_of, before);
  const auto root = std::ranges::count(before, 1);
  const int of_face = order == 1 ? 0 : (order == 2 ? 2 : 6);
  const int plane = 2 * n * n * of_face + (3 * n * n + 4 * n + 1) * order;
  EXPECT_GT(root, plane / 2);
  EXPECT_LT(root, 2 * plane);
  const auto half = [&](Index top) {
    return std::ranges::count_if(
        before, [&](Index node) { return node > 1 && linalg::common_ancestor(node, top) == top; });
  };
  EXPECT_NEAR(double(half(2)), double(half(3)), 0.1 * double(space.num_dofs()));
}

TEST(CellDissection, OneCellIsALeaf) {
  const auto mesh = test::skewed_box({1, 1, 1}, 1);
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_space(mesh, topology, 2);
  const auto tree = dissect_cells(space);
  EXPECT_TRUE(
      std::ranges::all_of(tree.node_of, [&](Index node) { return node >= 1 && node < 2 * tree.num_leaves; }));
}

}  // namespace
}  // namespace curlew::fem
