// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "ie/surface/rwg.hpp"
#include "ie/surface/shells.hpp"
#include "message_of.hpp"
#include "sphere_mesh.hpp"

namespace curlew::ie {
namespace {

SurfaceMesh make(const test::TriangleSoup& soup) {
  return make_surface_mesh("soup", soup.nodes, soup.triangles, std::vector<int>(soup.triangles.size(), 0),
                           {"all"});
}
std::string complaint(const test::TriangleSoup& soup) {
  return test::message_of<InputError>([&] { check_joined(make(soup)); });
}

TEST(SurfaceMesh, NormalsPointOutHoweverTheFileTurnsThem) {
  auto soup = test::icosphere(3, 2.0, {1, 2, 3});
  for (std::size_t t = 0; t < soup.triangles.size(); ++t)
    std::rotate(soup.triangles[t].begin(), soup.triangles[t].begin() + t % 3, soup.triangles[t].end());
  for (std::size_t t = 0; t < soup.triangles.size(); t += 2)
    std::swap(soup.triangles[t][0], soup.triangles[t][2]);

  const auto mesh = make(soup);

  ASSERT_EQ(mesh.pieces.size(), 1u);
  EXPECT_TRUE(mesh.pieces[0].closed);
  EXPECT_NEAR(mesh.pieces[0].volume, 32 * pi / 3, 0.08 * 32 * pi / 3);
  for (Index t = 0; t < mesh.num_triangles(); ++t)
    EXPECT_GT(dot(mesh.area_vector(t), mesh.centroid(t) - Vec3<double>{1, 2, 3}), 0);
  const Shells shells = find_shells(mesh, sorted_sides(mesh));
  ASSERT_EQ(shells.size(), 2);
  EXPECT_TRUE(is_inside(mesh, shells, 1, {1.5, 2, 4}));
  EXPECT_FALSE(is_inside(mesh, shells, 1, {1.5, 2, 5.1}));
}

TEST(SurfaceMesh, BadTrianglesAreNamed) {
  const auto good = test::icosphere(2, 1);
  auto twice = good, flat = good, hanging = good, slit = good;
  twice.triangles.push_back({twice.triangles[5][2], twice.triangles[5][0], twice.triangles[5][1]});
  flat.triangles[7][1] = flat.triangles[7][0];
  const auto t = hanging.triangles[3];  // one triangle cut in two, its neighbour not
  hanging.nodes.push_back(0.5 * (hanging.nodes[t[0]] + hanging.nodes[t[1]]));
  hanging.triangles[3] = {t[0], Index(hanging.nodes.size()) - 1, t[2]};
  hanging.triangles.push_back({Index(hanging.nodes.size()) - 1, t[1], t[2]});
  slit.nodes.push_back(slit.nodes[slit.triangles[0][0]]);
  slit.triangles[0][0] = Index(slit.nodes.size()) - 1;

  EXPECT_EQ(complaint(good), "nothing");
  EXPECT_NE(complaint(twice).find("1 triangles occur twice"), std::string::npos) << complaint(twice);
  EXPECT_NE(complaint(flat).find("triangle 7"), std::string::npos) << complaint(flat);
  EXPECT_NE(complaint(hanging).find("edges of the other"), std::string::npos) << complaint(hanging);
  EXPECT_NE(complaint(slit).find("nodes of one lie on nodes of the other"), std::string::npos)
      << complaint(slit);
  EXPECT_NE(complaint({}).find("no triangles"), std::string::npos);
}

TEST(SurfaceMesh, MoebiusStripIsRefused) {
  test::TriangleSoup strip;
  const int n = 12;
  for (int i = 0; i < n; ++i) {
    const double angle = 2 * pi * i / n;
    for (const double side : {-0.3, 0.3}) {
      const double r = 1 + side * std::cos(angle / 2);
      strip.nodes.push_back({r * std::cos(angle), r * std::sin(angle), side * std::sin(angle / 2)});
    }
  }
  for (int i = 0; i < n; ++i) {
    const Index a = 2 * i, b = 2 * i + 1, turn = i + 1 == n;
    const Index c = turn ? 1 : a + 2, d = turn ? 0 : b + 2;
    strip.triangles.push_back({a, b, c}), strip.triangles.push_back({b, d, c});
  }
  EXPECT_NE(complaint(strip).find("Moebius"), std::string::npos) << complaint(strip);
}

TEST(Rwg, CountsOnClosedOpenAndBranchingSurfaces) {
  const auto sphere = make(test::icosphere(2, 1));
  EXPECT_EQ(RwgSpace(sphere).size(), 120);
  for (Index t = 0; t < sphere.num_triangles(); ++t) EXPECT_EQ(RwgSpace(sphere).count(t), 3);

  const test::TriangleSoup plate{{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 3, 2}}};
  const auto open = make(plate);
  EXPECT_EQ(RwgSpace(open).size(), 1);
  EXPECT_FALSE(open.pieces[0].closed);

  const test::TriangleSoup tee{{{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}},
                               {{0, 1, 2}, {0, 1, 3}, {0, 1, 4}}};
  const auto branching = make(tee);
  const RwgSpace space(branching);
  EXPECT_EQ(space.size(), 2) << "three triangles at an edge carry two functions";
  EXPECT_TRUE(branching.pieces[0].has_junction);
  EXPECT_EQ(space.count(0), 2);
}

}  // namespace
}  // namespace curlew::ie
