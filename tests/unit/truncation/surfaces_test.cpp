// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/surfaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.hpp"
#include "mesh/box.hpp"

namespace curlew::truncation {
namespace {

/// A box of 5^3 blocks; S' is the surface of the blocks in the middle, taken from the faces of the mesh.
struct Nested {
  mesh::Mesh mesh;
  mesh::Topology topology;

  /// @param low, high corners of S' in blocks of 0.2 m
  explicit Nested(int low = 1, int high = 4) {
    mesh = mesh::make_box({.blocks = {5, 5, 5}, .shuffle_seed = 4});
    topology = mesh::build_topology(mesh);
    const double a = 0.2 * low - 1e-9, b = 0.2 * high + 1e-9;
    mesh::Region inner{"S_prime", {}};
    for (const auto& face : topology.faces) {
      int on = 0;
      bool within = true;
      for (int x = 0; x < 3; ++x) {
        for (const double wall : {0.2 * low, 0.2 * high})
          on += std::all_of(face.begin(), face.end(),
                            [&](Index n) { return std::abs(mesh.nodes[n][x] - wall) < 1e-9; });
        within = within && std::all_of(face.begin(), face.end(),
                                       [&](Index n) { return mesh.nodes[n][x] > a && mesh.nodes[n][x] < b; });
      }
      if (on == 0 || !within) continue;
      inner.entities.push_back(mesh.num_triangles());
      mesh.triangles.insert(mesh.triangles.end(), face.begin(), face.end());
    }
    mesh.surfaces.push_back(inner);
    topology = mesh::build_topology(mesh);
  }
  Surfaces find(SurfaceNames names = {.outer = "walls"}) const {
    return find_surfaces(mesh, topology, names, std::vector<bool>(names.symmetry.size(), true));
  }
  mesh::Region& surface(const std::string& name) {
    return *std::find_if(mesh.surfaces.begin(), mesh.surfaces.end(),
                         [&](const auto& s) { return s.name == name; });
  }
};

std::string message(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Surfaces, DistanceAndConvexityOfNestedBoxes) {
  const Nested nested;
  const Surfaces s = nested.find();
  EXPECT_NEAR(s.distance, 0.2, 1e-12);
  EXPECT_TRUE(s.is_convex);
  EXPECT_EQ(s.inner.size(), 6U * 9 * 2);
}

TEST(Surfaces, WhatCannotTruncateIsRefused) {
  Nested open;
  open.surface("S_prime").entities.pop_back();
  EXPECT_NE(message([&] { open.find(); }).find("\"S_prime\" is not closed"), std::string::npos);

  const Nested touching(0, 4);
  EXPECT_NE(message([&] { touching.find(); }).find("touch"), std::string::npos);

  const Nested nested;
  EXPECT_NE(message([&] { nested.find({.outer = "S"}); }).find("walls"), std::string::npos);
  EXPECT_NE(message([&] { nested.find({.outer = "S_prime", .inner = "walls"}); }).find("boundary"),
            std::string::npos);
  EXPECT_NE(message([&] { nested.find({.outer = "x0"}); }).find("not closed"), std::string::npos);
}

TEST(Surfaces, OnlyOneMediumBetweenThem) {
  const Nested nested;
  const Surfaces s = nested.find();
  fem::CellMaterials materials{{{2.0, 1.0}, {3.0, 1.0}}, std::vector<Index>(nested.mesh.num_cells(), 0)};
  const SurfaceNames names{.outer = "walls"};
  const auto medium = [&] { return exterior_material(nested.mesh, nested.topology, s, names, materials); };
  EXPECT_EQ(medium().epsilon_r.scalar, 2.0);

  // A cell at a corner of the box is outside of S', one in the middle is inside.
  for (Index c = 0; c < nested.mesh.num_cells(); ++c) {
    Vec3<double> center{};
    for (int a = 0; a < 4; ++a) center += 0.25 * nested.mesh.nodes[nested.mesh.cell(c)[a]];
    if (norm(center - Vec3<double>{0.5, 0.5, 0.5}) < 0.1) materials.cell_material[c] = 1;
  }
  EXPECT_EQ(medium().epsilon_r.scalar, 2.0);
  materials.cell_material.assign(materials.cell_material.size(), 0);
  for (Index c = 0; c < nested.mesh.num_cells(); ++c)
    for (int a = 0; a < 4; ++a)
      if (norm(nested.mesh.nodes[nested.mesh.cell(c)[a]]) < 1e-9) materials.cell_material[c] = 1;
  EXPECT_NE(message([&] { medium(); }).find("material between"), std::string::npos);
}

TEST(Surfaces, SourceRuleGrowsAsTheSurfacesComeCloser) {
  Surfaces s;
  s.element_size = 0.1;
  s.distance = 0.1;
  const int far = source_degree(s, 1e-4, 4);
  s.distance = 0.025;
  EXPECT_GT(source_degree(s, 1e-4, 4), far);
  s.distance = 10;
  EXPECT_EQ(source_degree(s, 1e-4, 4), 4);
}

}  // namespace
}  // namespace curlew::truncation
