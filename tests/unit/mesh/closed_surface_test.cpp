// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/closed_surface.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "mesh/box.hpp"

namespace curlew::mesh {
namespace {

const std::vector<Index>& named(const Mesh& mesh, const std::string& name) {
  for (const auto& s : mesh.surfaces)
    if (s.name == name) return s.entities;
  throw InputError(name);
}

TEST(ClosedSurface, OpenEdgesAreFoundUnlessTheyLieOnAPlaneOfSymmetry) {
  const Mesh box = make_box({.lo = {0, -1, -1}, .shuffle_seed = 5});
  std::vector<Index> five;
  for (const char* name : {"x1", "y0", "y1", "z0", "z1"})
    five.insert(five.end(), named(box, name).begin(), named(box, name).end());

  EXPECT_THROW(outward_sides(box, five, "S"), InputError);
  EXPECT_THROW(outward_sides(box, {}, "S"), InputError);
  const auto sides = outward_sides(box, five, "S", {[](Vec3<double> p) { return p.x == 0; }, {0, 0, 0}});

  for (std::size_t t = 0; t < five.size(); ++t) {
    const Index* n = box.triangle(five[t]);
    const Vec3<double> a = box.nodes[n[0]], b = box.nodes[n[1]], c = box.nodes[n[2]];
    EXPECT_GT(sides[t] * dot(cross(b - a, c - a), a + b + c - Vec3<double>{1.5, 0, 0}), 0);
  }
}

TEST(ClosedSurface, ThreeTrianglesAtAnEdgeAreNoSurface) {
  const Mesh box = make_box({});
  std::vector<Index> twice = named(box, "walls");
  twice.push_back(twice[0]);
  EXPECT_THROW(outward_sides(box, twice, "S"), InputError);
}

}  // namespace
}  // namespace curlew::mesh
