// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/straighten.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "../../convergence/ball_mesh.hpp"
#include "base/constants.hpp"
#include "base/error.hpp"
#include "mesh/check.hpp"
#include "mesh/inverted_cells.hpp"

namespace curlew::mesh {
namespace {

double volume_error(int n, bool is_straightened) {
  const Mesh ball = test::make_ball(n, is_straightened ? 2 : 1);
  return std::abs(test::volume_between_corners(straighten(ball)) / (4 * pi / 3) - 1);
}

TEST(Straighten, KeepsTheVolumeOfABall) {
  for (const int n : {2, 4}) EXPECT_LT(volume_error(n, true), 0.04 * volume_error(n, false)) << n;
}

TEST(Straighten, LeavesASoundStraightMesh) {
  const Mesh ball = test::make_ball(3, 2), flat = straighten(ball);

  EXPECT_EQ(flat.geometry_order, 1);
  EXPECT_EQ(flat.num_cells(), ball.num_cells());
  EXPECT_EQ(flat.num_triangles(), ball.num_triangles());
  EXPECT_NO_THROW(check_mesh(flat, MeshUse::volumes));
  EXPECT_EQ(flat.nodes.size(), test::make_ball(3, 1).nodes.size());
}

TEST(Straighten, ReturnsStraightMeshesAsTheyAre) {
  const Mesh ball = test::make_ball(2, 1), flat = straighten(ball);

  ASSERT_EQ(flat.nodes.size(), ball.nodes.size());
  for (std::size_t i = 0; i < ball.nodes.size(); ++i) EXPECT_EQ(norm(flat.nodes[i] - ball.nodes[i]), 0);
}

/// A tube of n quadrilaterals around, its lids fans from their centres: only the wall is curved.
Mesh tube(int n) {
  Mesh mesh;
  mesh.geometry_order = 2;
  mesh.surfaces = {{"tube", {}}};
  const auto node = [&](Vec3<double> x) {
    mesh.nodes.push_back(x);
    return Index(mesh.nodes.size()) - 1;
  };
  const auto rim = [&](double step, double z) {
    return node({std::cos(2 * pi * step / n), std::sin(2 * pi * step / n), z});
  };
  std::vector<Index> lower, upper;
  for (int i = 0; i < n; ++i) lower.push_back(rim(i, 0)), upper.push_back(rim(i, 1));
  const Index centre[2] = {node({0, 0, 0}), node({0, 0, 1})};
  const auto middle = [&](Index a, Index b, bool on_wall) {
    Vec3<double> m = 0.5 * (mesh.nodes[a] + mesh.nodes[b]);
    const double r = std::hypot(m.x, m.y);
    if (on_wall) m.x /= r, m.y /= r;
    return node(m);
  };
  const auto triangle = [&](Index a, Index b, Index c, bool on_wall) {
    const bool lid = !on_wall;  // of a lid, corner a is the centre and only the edge b, c lies on the wall
    mesh.surfaces[0].entities.push_back(mesh.num_triangles());
    for (const Index i : {a, b, c, middle(a, b, !lid), middle(a, c, !lid), middle(b, c, true)})
      mesh.triangles.push_back(i);
  };
  for (int i = 0; i < n; ++i) {
    const int j = (i + 1) % n;
    triangle(lower[i], lower[j], upper[j], true);
    triangle(lower[i], upper[i], upper[j], true);
    triangle(centre[0], lower[i], lower[j], false);
    triangle(centre[1], upper[i], upper[j], false);
  }
  return mesh;
}

TEST(Straighten, KeepsLidsFlatAndWidensTheWall) {
  const int n = 12;

  const Mesh flat = straighten(tube(n));

  const double radius =
      std::sqrt(2 * pi / n / std::sin(2 * pi / n));  // of the polygon with the circle's area
  for (const auto& x : flat.nodes) {
    EXPECT_NEAR(std::min(std::abs(x.z), std::abs(x.z - 1)), 0, 2e-3);
    const double from_axis = std::hypot(x.x, x.y);
    if (from_axis > 0.5) {
      EXPECT_NEAR(from_axis, radius, 0.1 * (radius - 1));
    }
  }
}

/// One edge of a cell bent through the opposite side: the cells at it fold over, and the mesh becomes
/// straight.
TEST(StraightWhereFolded, LeavesSoundMeshesCurved) {
  Mesh ball = test::make_ball(3, 2);
  EXPECT_TRUE(inverted_cells(ball).empty());
  EXPECT_EQ(straight_where_folded(ball).geometry_order, 2);
  const Index* n = ball.cell(5);
  ball.nodes[n[4]] = ball.nodes[n[3]] + 0.2 * (ball.nodes[n[3]] - ball.nodes[n[0]]);

  const auto bad = inverted_cells(ball);
  const Mesh straight = straight_where_folded(ball);

  EXPECT_NE(std::find(bad.begin(), bad.end(), 5), bad.end());
  EXPECT_LT(Index(bad.size()), ball.num_cells() / 4);
  EXPECT_EQ(straight.geometry_order, 1);
  EXPECT_NO_THROW(check_mesh(straight, MeshUse::volumes));
  EXPECT_EQ(straight.num_cells(), ball.num_cells());
}

/// An edge from the origin to (1, 0, 0) through (m, 0, 0) begins with slope 4m - 1: below 1/4 the cell is
/// folded at this corner, though not at the inner points where cells are sampled.
TEST(InvertedCells, ThoseFoldedAtACornerCount) {
  const auto cell_with = [](double m) {
    Mesh mesh;
    mesh.geometry_order = 2;
    mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const auto& [a, b] : cell_edge_vertices)
      mesh.nodes.push_back(0.5 * (mesh.nodes[std::size_t(a)] + mesh.nodes[std::size_t(b)]));
    mesh.nodes[4] = {m, 0, 0};
    for (Index n = 0; n < 10; ++n) mesh.cells.push_back(n);
    return mesh;
  };
  const auto [least, greatest] = jacobian_range(cell_with(0.24), 0);
  EXPECT_GT(least, 0.05 * greatest);
  EXPECT_EQ(inverted_cells(cell_with(0.24)), std::vector<Index>{0});
  EXPECT_TRUE(inverted_cells(cell_with(0.26)).empty());
}

/// The same cells flattened: those alone, as far as it takes, and no edge of another cell.
TEST(FlattenInverted, MovesNodesOfFoldedCellsAlone) {
  const Mesh sound = test::make_ball(3, 2);
  Mesh ball = sound;
  const Index* n = ball.cell(5);
  const Vec3<double> chord = 0.5 * (ball.nodes[n[0]] + ball.nodes[n[1]]);
  ball.nodes[n[4]] = ball.nodes[n[3]] + 0.2 * (ball.nodes[n[3]] - ball.nodes[n[0]]);
  std::set<Index> may_move;
  for (const Index c : inverted_cells(ball)) may_move.insert(ball.cell(c) + 4, ball.cell(c) + 10);

  const auto flat = flatten_inverted(ball);

  EXPECT_TRUE(inverted_cells(flat.mesh).empty());
  EXPECT_NO_THROW(check_mesh(flat.mesh, MeshUse::volumes));
  EXPECT_GE(flat.cells, 1);
  double farthest = 0;
  for (std::size_t i = 0; i < ball.nodes.size(); ++i) {
    const double moved = norm(flat.mesh.nodes[i] - ball.nodes[i]);
    farthest = std::max(farthest, moved);
    if (!may_move.count(Index(i))) {
      EXPECT_EQ(moved, 0);
    }
  }
  EXPECT_EQ(flat.farthest, farthest);
  // The bent edge comes back by eighths of its way to the chord, and by no more than needed.
  const double way = norm(chord - ball.nodes[n[4]]), left = norm(flat.mesh.nodes[n[4]] - chord);
  EXPECT_NEAR(std::remainder(8 * left / way, 1), 0, 1e-9);
  Mesh before = flat.mesh;
  before.nodes[n[4]] += (1.0 / 8) * (ball.nodes[n[4]] - chord);
  EXPECT_FALSE(inverted_cells(before).empty());
  EXPECT_NEAR(flat.farthest_share, (way - left) / norm(ball.nodes[n[1]] - ball.nodes[n[0]]), 1e-12);
  const auto same = flatten_inverted(sound);
  EXPECT_EQ(same.cells, 0);
  EXPECT_EQ(same.farthest, 0);
}

/// One folded cell of many loses its curves, and the mesh stays curved; where many are folded nothing is
/// done.
TEST(FlattenFew, LeavesTheOthersCurved) {
  Mesh ball = test::make_ball(5, 2);
  const Index* n = ball.cell(5);
  ball.nodes[n[4]] = ball.nodes[n[3]] + 0.2 * (ball.nodes[n[3]] - ball.nodes[n[0]]);
  const auto bad = inverted_cells(ball).size();
  ASSERT_GE(bad, 1U);
  ASSERT_LE(bad, std::size_t(ball.num_cells()) / 100);
  Mesh coarse = test::make_ball(2, 2);
  const Index* m = coarse.cell(5);
  coarse.nodes[m[4]] = coarse.nodes[m[3]] + 0.2 * (coarse.nodes[m[3]] - coarse.nodes[m[0]]);
  ASSERT_GE(inverted_cells(coarse).size(), 2U);

  EXPECT_EQ(straight_where_folded(flatten_few(ball).mesh).geometry_order, 2);
  EXPECT_EQ(straight_where_folded(flatten_few(coarse).mesh).geometry_order, 1);
}

}  // namespace
}  // namespace curlew::mesh
