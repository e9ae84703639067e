// SPDX-License-Identifier: BSD-3-Clause
// Bisected triangles: as small as requested, conforming, of the same area and of sound angles; on curved
// bodies on the surface that facets stand for.

#include "mesh/bisect.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "../../convergence/ball_mesh.hpp"
#include "mesh/box.hpp"

namespace curlew::mesh {
namespace {

struct Shape {
  double area = 0, least_angle = 4;
  std::map<std::pair<Index, Index>, int> uses;  ///< triangles at each edge
};

Shape shape_of(const Mesh& mesh) {
  Shape shape;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const Index* n = mesh.triangle(t);
    const auto at = [&](int i) { return mesh.nodes[std::size_t(n[i % 3])]; };
    shape.area += 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
    for (int i = 0; i < 3; ++i) {
      const auto a = at(i + 1) - at(i), b = at(i + 2) - at(i);
      shape.least_angle = std::min(shape.least_angle, std::atan2(norm(cross(a, b)), dot(a, b)));
      ++shape.uses[std::minmax(n[i], n[(i + 1) % 3])];
    }
  }
  return shape;
}

/// The faces of a box of 4 x 4 x 4 blocks, finer at one corner than far from it.
TEST(Bisected, BoxHasTheSizesAskedFor) {
  SizeField field{make_box({.blocks = {4, 4, 4}}), {}, MeshUse::surfaces};
  field.mesh.cells.clear(), field.mesh.volumes.clear();
  std::erase_if(field.mesh.surfaces, [](const Region& r) { return r.name == "walls"; });
  const auto asked = [](const Mesh& mesh, Index t) {
    Vec3<double> middle{};
    for (int i = 0; i < 3; ++i) middle += (1.0 / 3) * mesh.nodes[std::size_t(mesh.triangle(t)[i])];
    return 0.03 + 0.25 * norm(middle);
  };
  for (Index t = 0; t < field.mesh.num_triangles(); ++t) field.sizes.push_back(asked(field.mesh, t));
  const Mesh finer = bisected(field);

  EXPECT_NO_THROW(check_mesh(finer, MeshUse::surfaces));
  EXPECT_EQ(finer.geometry_order, 1);
  const Shape before = shape_of(field.mesh), after = shape_of(finer);
  EXPECT_NEAR(after.area, 6, 1e-12);
  for (const auto& [edge, count] : after.uses) EXPECT_EQ(count, 2) << edge.first << " " << edge.second;
  EXPECT_GE(after.least_angle, 0.5 * before.least_angle - 1e-12);
  EXPECT_GT(finer.num_triangles(), field.mesh.num_triangles() * 5 / 4);
  Index named = 0;
  for (const auto& region : finer.surfaces) named += Index(region.entities.size());
  EXPECT_EQ(named, finer.num_triangles());
  double smallest = 1, largest = 0;
  for (Index t = 0; t < finer.num_triangles(); ++t) {
    smallest = std::min(smallest, triangle_size(finer, t));
    largest = std::max(largest, triangle_size(finer, t));
    // Requested somewhere in the triangle that it came from, at most 0.2 away.
    EXPECT_LE(triangle_size(finer, t), 1.2 * (asked(finer, t) + 0.25 * 0.2)) << t;
  }
  EXPECT_LT(smallest, 0.4 * largest);
}

/// Nodes of the parts lie on the sphere as nearly as its normals tell, curved or straight.
TEST(Bisected, SphereStaysRound) {
  for (const int order : {1, 2}) {
    SizeField field{test::make_ball(4, order), {}, MeshUse::surfaces};
    field.mesh.cells.clear(), field.mesh.volumes.clear();
    double longest = 0;
    for (Index t = 0; t < field.mesh.num_triangles(); ++t)
      for (const auto& [a, b] : triangle_edge_vertices) {
        const Index* n = field.mesh.triangle(t);
        longest = std::max(longest,
                           norm(field.mesh.nodes[std::size_t(n[a])] - field.mesh.nodes[std::size_t(n[b])]));
      }
    const double sagitta = longest * longest / 8;  // where nodes on chords would be
    field.sizes.assign(std::size_t(field.mesh.num_triangles()), 0.15);
    const Mesh finer = bisected(field);
    EXPECT_EQ(finer.geometry_order, order);
    for (Index t = 0; t < finer.num_triangles(); ++t) {
      EXPECT_LE(triangle_size(finer, t), 1.2 * 0.15);
      for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(norm(finer.nodes[std::size_t(finer.triangle(t)[i])]), 1, 0.5 * sagitta) << order;
    }
    EXPECT_NEAR(shape_of(finer).area / (4 * std::acos(-1)), 1, 1e-2);
  }
}

}  // namespace
}  // namespace curlew::mesh
