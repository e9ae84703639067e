// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/surfaces.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/closed_surface.hpp"
#include "message_of.hpp"

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
  return test::message_of<InputError>(call);
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
  const auto cells = exterior_cells(nested.topology, s);
  const auto medium = [&] { return exterior_material(nested.mesh, names, cells, materials); };
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

/// A boundary or port between the surfaces would act on the field and not radiate; on S' or inside it may be.
TEST(Surfaces, ConditionsBetweenThemAreRefused) {
  Nested nested;
  const Surfaces s = nested.find();
  const SurfaceNames names{.outer = "walls"};
  const auto refusal = [&](Vec3<double> at, bool as_port) {
    Nested with = nested;
    for (const auto& face : with.topology.faces) {
      const Vec3<double> centre =
          (1 / 3.0) * (with.mesh.nodes[face[0]] + with.mesh.nodes[face[1]] + with.mesh.nodes[face[2]]);
      if (norm(centre - at) > 0.1 || !std::all_of(face.begin(), face.end(), [&](Index n) {
            return std::abs(with.mesh.nodes[n].z - at.z) < 1e-9;
          }))
        continue;
      with.mesh.surfaces.push_back({"plate", {with.mesh.num_triangles()}});
      with.mesh.triangles.insert(with.mesh.triangles.end(), face.begin(), face.end());
      break;
    }
    with.topology = mesh::build_topology(with.mesh);
    fem::Model model;
    if (as_port)
      model.ports.push_back({.region = "plate"});
    else
      model.boundaries.push_back({.regions = {"plate"}});
    const auto cells = exterior_cells(with.topology, s);
    return message([&] { check_exterior(with.mesh, with.topology, s, names, cells, model); });
  };
  EXPECT_NE(refusal({0.1, 0.1, 0.8}, false).find("boundary \"plate\" lies between \"S_prime\" and \"walls\""),
            std::string::npos);
  EXPECT_NE(refusal({0.1, 0.1, 0.8}, true).find("port \"plate\""), std::string::npos);
  EXPECT_EQ(refusal({0.5, 0.5, 0.4}, false), "nothing");  // inside
  EXPECT_EQ(refusal({0.5, 0.5, 0.8}, false), "nothing");  // on S'
}

/// A sphere by its nodes on circles of latitude, turned against each other at random: long triangles with
/// obtuse angles, and edges that are concave.
mesh::Mesh rough_sphere(int circles, int around, double squeeze) {
  mesh::Mesh mesh;
  mesh.nodes = {{0, 0, 1}, {0, 0, -1}};
  const auto node = [&](int i, int j) { return Index(2 + i * around + (j + around) % around); };
  for (int i = 0; i < circles; ++i)
    for (int j = 0; j < around; ++j) {
      const double theta = pi * (i + 1) / (circles + 1),
                   phi = 2 * pi * (j + 0.4 * std::sin(7.0 * i + 3.0 * j)) / around;
      const double r = 1 - squeeze * std::exp(-20 * std::pow(std::cos(theta), 2));
      mesh.nodes.push_back(
          {r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi), std::cos(theta)});
    }
  for (int j = 0; j < around; ++j) {
    for (const Index n : {0, node(0, j), node(0, j + 1), 1, node(circles - 1, j + 1), node(circles - 1, j)})
      mesh.triangles.push_back(n);
    for (int i = 0; i + 1 < circles; ++i)
      for (const Index n :
           {node(i, j), node(i + 1, j), node(i, j + 1), node(i, j + 1), node(i + 1, j), node(i + 1, j + 1)})
        mesh.triangles.push_back(n);
  }
  for (auto t = mesh.triangles.begin(); t != mesh.triangles.end(); t += 3) std::sort(t, t + 3);
  return mesh;
}

bool whole_is_convex(const mesh::Mesh& mesh) {
  std::vector<Index> all(std::size_t(mesh.num_triangles()));
  std::iota(all.begin(), all.end(), 0);
  return is_convex(mesh, all, mesh::outward_sides(mesh, all, "surface"));
}

TEST(Surfaces, RoughSpheresAreConvexAndWaistsAreNot) {
  for (const int around : {6, 9, 14, 24, 40})
    for (const int circles : {4, 7, 12, 20}) {
      EXPECT_TRUE(whole_is_convex(rough_sphere(circles, around, 0))) << circles << " " << around;
      if (circles == 4) continue;  // too few to have a waist
      EXPECT_FALSE(whole_is_convex(rough_sphere(circles, around, 0.5))) << circles << " " << around;
    }
}

/// The surface of three blocks in the shape of an L.
TEST(Surfaces, AnEdgeThatPointsInwardsIsNotConvex) {
  for (const Index n : {2, 4}) {
    mesh::Mesh box = mesh::make_box({.blocks = {n, n, n}});
    const auto is_kept = [&](Index c) {
      Vec3<double> centre{};
      for (int a = 0; a < 4; ++a) centre += 0.25 * box.nodes[box.cell(c)[a]];
      return centre.x < 0.5 || centre.y < 0.5;
    };
    const auto topology = mesh::build_topology(box);
    mesh::Mesh surface, whole;
    surface.nodes = whole.nodes = box.nodes;
    for (Index f = 0; f < topology.num_faces(); ++f) {
      const auto cells = topology.face_cells[f];
      const auto& face = topology.faces[f];
      if (cells[1] < 0) whole.triangles.insert(whole.triangles.end(), face.begin(), face.end());
      if (is_kept(cells[0]) != (cells[1] >= 0 && is_kept(cells[1])))
        surface.triangles.insert(surface.triangles.end(), face.begin(), face.end());
    }
    EXPECT_TRUE(whole_is_convex(whole)) << n;
    EXPECT_FALSE(whole_is_convex(surface)) << n;
  }
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
