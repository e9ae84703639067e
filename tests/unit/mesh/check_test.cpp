// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/check.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/jacobian.hpp"
#include "mesh/ordering.hpp"

namespace curlew::mesh {
namespace {

Mesh box(int order) {
  return make_box({.blocks = {2, 2, 2}, .geometry_order = order, .shuffle_seed = 4});
}

/// The message of the error that check_mesh throws on a box that was spoilt; empty if it throws none.
std::string complaint(int order, const std::function<void(Mesh&)>& spoil) {
  Mesh mesh = box(order);
  spoil(mesh);
  try {
    check_mesh(mesh);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

testing::AssertionResult contains(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos && text.find('\n') == std::string::npos)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << "\"" << text << "\" lacks \"" << part << "\" or has several lines";
}

TEST(CheckMesh, AcceptsSoundMeshes) {
  EXPECT_EQ(complaint(1, [](Mesh&) {}), "");
  EXPECT_EQ(complaint(2, [](Mesh&) {}), "");
}

TEST(CheckMesh, NamesWhatIsWrong) {
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.cells.clear(); }), "no cells"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.geometry_order = 3; }), "geometry order 3"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.cells.pop_back(); }), "number of nodes"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.cells[7] = 1000; }), "outside 0..26"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.nodes[3].y = std::nan(""); }), "node 3"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.nodes.clear(); }), "no nodes"));
  const auto moved = [](double by) {
    return [by](Mesh& m) {
      for (auto& x : m.nodes) x.z += by;
    };
  };
  EXPECT_EQ(complaint(1, moved(1e6)), "");
  EXPECT_TRUE(contains(complaint(1, moved(1e9)), "1e+09 m from the origin"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { std::swap(m.cells[0], m.cells[1]); }), "not ascending"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.surfaces[1].name = "x0"; }), "\"x0\" is there twice"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.surfaces[1].name = ""; }), "no name"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.surfaces[1].entities.clear(); }), "\"x1\" is empty"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.surfaces[1].entities.back() = 999; }), "number 999"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.surfaces[1].entities[1] = 0; }), "not ascending"));
  EXPECT_TRUE(contains(complaint(1, [](Mesh& m) { m.volumes[0].entities.resize(40); }),
                       "8 of 48 cells are in no volume region"));
  EXPECT_TRUE(
      contains(complaint(1, [](Mesh& m) { m.nodes[m.cells[1]] = m.nodes[m.cells[0]]; }), "have no volume"));
}

TEST(CheckMesh, FindsCellsThatOverlapTheirNeighbours) {
  // The inner node pulled out through a side of the box turns cells over, none of them flat.
  const auto text = complaint(1, [](Mesh& m) {
    for (auto& x : m.nodes)
      if (norm(x - Vec3<double>{0.5, 0.5, 0.5}) < 1e-9) x = {0.55, 0.6, 1.3};
  });

  EXPECT_TRUE(contains(text, "overlap"));
}

TEST(CheckMesh, FindsCurvedCellsTurnedInsideOut) {
  const auto bend = [](double amount) {
    return [amount](Mesh& m) {
      const Index* n = m.cell(5);
      m.nodes[n[4]] += amount * (m.nodes[n[3]] - m.nodes[n[4]]);
    };
  };

  EXPECT_EQ(complaint(2, bend(0.1)), "");
  EXPECT_TRUE(contains(complaint(2, bend(0.9)), "inverted"));
}

TEST(JacobianRange, IsExactForAPrescribedQuadraticMap) {
  // x -> x + a x^2 in one direction: the determinant of a cell is its straight one times 1 + 2 a x.
  const double a = 0.3;
  Mesh mesh = make_box({.blocks = {1, 1, 1}, .geometry_order = 2});
  for (auto& x : mesh.nodes) x.x += a * x.x * x.x;

  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto point = evaluate_cell(mesh, c, {0.4, 0.3, 0.2, 0.1});
    const double x = (std::sqrt(1 + 4 * a * point.position.x) - 1) / (2 * a);  // inverse of the map
    EXPECT_NEAR(std::abs(point.determinant()), 1 + 2 * a * x, 1e-13);
    const auto [least, greatest] = jacobian_range(mesh, c);
    EXPECT_GT(least / greatest, 1 / (1 + 2 * a));
    EXPECT_LT(least / greatest, 0.75);
  }
}

TEST(JacobianRange, IsOneValueInStraightCellsAloneOfSecondOrder) {
  Mesh mesh = make_box({.blocks = {1, 1, 1}, .geometry_order = 2});
  const auto [straight, same] = jacobian_range(mesh, 0);
  EXPECT_EQ(straight, same);
  EXPECT_NEAR(std::abs(straight), 1, 1e-14);

  const Index* n = mesh.cell(0);  // by a hundred times the rounding error
  mesh.nodes[std::size_t(n[4])] += 3e-12 * (mesh.nodes[std::size_t(n[2])] - mesh.nodes[std::size_t(n[4])]);
  const auto [least, greatest] = jacobian_range(mesh, 0);
  EXPECT_GT(std::abs(greatest - least), 3e-12);
}

TEST(CountCoincidentNodes, SeesTwoBoxesThatTouchWithoutSharingNodes) {
  Mesh mesh = make_box({.blocks = {2, 2, 2}});
  const Mesh right = make_box({.lo = {1, 0, 0}, .hi = {2, 1, 1}, .blocks = {2, 2, 2}});
  EXPECT_EQ(count_coincident_nodes(mesh), 0u);

  const auto shift = Index(mesh.nodes.size());
  mesh.nodes.insert(mesh.nodes.end(), right.nodes.begin(), right.nodes.end());
  for (const Index node : right.cells) mesh.cells.push_back(node + shift);

  EXPECT_EQ(count_coincident_nodes(mesh), 9u);
}

}  // namespace
}  // namespace curlew::mesh
