// SPDX-License-Identifier: BSD-3-Clause
// Bodies surrounded by cells up to a convex surface; Gmsh fills the space.
#include "mesh/surround.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/check.hpp"
#include "mesh/closed_surface.hpp"
#include "mesh/gmsh_fill.hpp"
#include "mesh/quality.hpp"
#include "mesh/topology.hpp"
#include "message_of.hpp"

namespace curlew::mesh {
namespace {

const Region& region(const std::vector<Region>& regions, const std::string& name) {
  const auto at =
      std::find_if(regions.begin(), regions.end(), [&](const Region& r) { return r.name == name; });
  if (at == regions.end()) throw InputError("no " + name);
  return *at;
}

/// Where the surface is seen from: 4 pi inside.
double angle(const Mesh& mesh, const std::string& name, Vec3<double> point) {
  const auto& triangles = region(mesh.surfaces, name).entities;
  return solid_angle(mesh, triangles, outward_sides(mesh, triangles, name), point);
}

double volume(const Mesh& mesh, const std::string& name) {
  for (const auto& v : report_quality(mesh).volumes)
    if (v.name == name) return v.volume;
  return 0;
}

Mesh brick(int order) {
  return make_box(
      {.lo = {0, 0, 0}, .hi = {3, 1, 1}, .blocks = {6, 2, 2}, .geometry_order = order, .shuffle_seed = 3});
}

/// The volume at a distance d around a convex body: Steiner's formula.
double volume_around_brick(double d) {
  return 3 + 14 * d + pi * d * d * 5 + 4 * pi / 3 * d * d * d;
}

TEST(Surround, TrianglesBesideAGapAreAtMostTwiceAsLarge) {
  const auto longest = [](double gap) {
    const Mesh mesh = surround(brick(1), {.distance = 0.4, .gap = gap, .size = 0.5}, gmsh_filler("brick"));
    double most = 0;
    for (const Index t : region(mesh.surfaces, gap > 0 ? "S_prime" : "S").entities)
      for (const auto& [a, b] : triangle_edge_vertices)
        most = std::max(most, norm(mesh.nodes[std::size_t(mesh.triangle(t)[a])] -
                                   mesh.nodes[std::size_t(mesh.triangle(t)[b])]));
    return most;
  };
  EXPECT_GT(longest(0), 0.4);
  EXPECT_LT(longest(0.05), 0.2);  // the diagonals of squares of 0.1, and some more where they are rounded
}

TEST(Surround, BrickWithAndWithoutGapStraightAndCurved) {
  for (const int order : {1, 2}) {
    for (const double gap : {0.0, 0.2}) {
      const Mesh mesh =
          surround(brick(order), {.distance = 0.4, .gap = gap, .size = 0.2}, gmsh_filler("brick"));
      check_mesh(mesh);
      const double expected = volume_around_brick(0.4 + gap);
      EXPECT_NEAR(volume(mesh, "exterior"), expected - 3, (order == 1 ? 0.06 : 0.01) * expected)
          << order << " " << gap;
      EXPECT_NEAR(volume(mesh, "volume"), 3, 1e-12);
      EXPECT_EQ(region(mesh.surfaces, "walls").entities.size(), 2U * 2 * (4 + 12 + 12));
      const auto topology = build_topology(mesh);
      for (const Index t : region(mesh.surfaces, "S").entities)
        EXPECT_EQ(topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])][1], -1);
      EXPECT_NEAR(angle(mesh, "S_prime", {1.5, 0.5, 0.5}), 4 * pi, 1e-9);
      EXPECT_NEAR(angle(mesh, "S_prime", {1.5, 0.5, 1.1}), gap > 0 ? 4 * pi : 0, 1e-9);
    }
  }
}

TEST(Surround, MetalLosesItsCellsAndKeepsItsName) {
  const Mesh mesh =
      surround(brick(1), {.hollow = {"volume", "walls"}, .distance = 0.3}, gmsh_filler("brick"));
  check_mesh(mesh);
  ASSERT_EQ(mesh.volumes.size(), 1U);
  EXPECT_EQ(region(mesh.surfaces, "volume").entities, region(mesh.surfaces, "S_prime").entities);
  EXPECT_NEAR(volume(mesh, "exterior"), volume_around_brick(0.3) - 3, 0.3);
}

TEST(Surround, ClosedSurfaceInABoxIsABodyWithoutCells) {
  // A cavity: the shell of blocks around the middle one of 3 x 3 x 3 is the "air" that the user drew.
  Mesh whole = make_box({.lo = {0, 0, 0}, .hi = {3, 3, 3}, .blocks = {3, 3, 3}});
  Region inner{"inner", {}}, air{"air", {}};
  for (Index c = 0; c < whole.num_cells(); ++c) {
    Vec3<double> m{};
    for (int i = 0; i < 4; ++i) m += 0.25 * whole.nodes[std::size_t(whole.cell(c)[i])];
    const bool is_inner = std::max({std::abs(m.x - 1.5), std::abs(m.y - 1.5), std::abs(m.z - 1.5)}) < 0.5;
    (is_inner ? inner : air).entities.push_back(c);
  }
  whole.volumes = {inner, air};
  const Mesh with_metal =
      surround(whole, {.body = {"inner"}, .hollow = {"inner"}, .distance = 0.5}, gmsh_filler("c"));
  check_mesh(with_metal);
  EXPECT_EQ(region(with_metal.surfaces, "inner").entities.size(), 12U);
  // All of the box, metal inside: its surface is no outer surface of the body.
  const Mesh boxed = surround(whole, {.hollow = {"inner"}, .distance = 0.5}, gmsh_filler("c"));
  check_mesh(boxed);
  EXPECT_EQ(region(boxed.surfaces, "inner").entities.size(), 12U);
  EXPECT_EQ(region(boxed.surfaces, "S_prime").entities.size(), 108U);
}

TEST(Surround, RefusesWhatItCannotEnclose) {
  const auto message = [](const Surround& options) -> std::string {
    try {
      surround(brick(1), options, gmsh_filler("brick"));
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(message({.body = {"nobody"}, .distance = 0.3}).find("nobody"), std::string::npos);
  EXPECT_NE(message({.distance = 0.3, .inner = "walls"}).find("already"), std::string::npos);
  Mesh open = brick(1);
  open.cells.clear();
  open.volumes.clear();
  EXPECT_NE(test::message_of<InputError>([&] {
              surround(open, {.body = {"x0"}, .distance = 0.3}, gmsh_filler("brick"));
            }).find("Thin metal alone encloses nothing: ie-solve computes it"),
            std::string::npos);
}

/// A distance for a low frequency with cells of the body's size: 4e21 of them, refused at once.
TEST(Surround, RefusesMoreCellsThanAnyMemoryHolds) {
  EXPECT_THROW(surround(brick(1), {.distance = 1e4, .size = 1e-3}, gmsh_filler("brick")), ResourceError);
  EXPECT_THROW(surround(brick(1), {.distance = 1e4, .gap = 1, .size = 1e-3}, gmsh_filler("brick")),
               ResourceError);
}

}  // namespace
}  // namespace curlew::mesh
