// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/extrude_layers.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.hpp"
#include "mesh/box.hpp"
#include "mesh/check.hpp"
#include "mesh/topology.hpp"

namespace curlew::mesh {
namespace {

const Region& surface(const Mesh& mesh, const std::string& name) {
  for (const auto& s : mesh.surfaces)
    if (s.name == name) return s;
  throw InputError("no " + name);
}

double volume(const Mesh& mesh) {
  double sum = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const Index* n = mesh.cell(c);
    const Vec3<double> o = mesh.nodes[std::size_t(n[0])];
    const auto edge = [&](int i) { return mesh.nodes[std::size_t(n[i])] - o; };
    sum += std::abs(dot(edge(1), cross(edge(2), edge(3)))) / 6;
  }
  return sum;
}

/// A sound mesh that fills the greater box: check_mesh looks for overlaps, the volume for gaps.
TEST(LayerExtrusion, GrowsOnABox) {
  for (const int order : {1, 2}) {
    Mesh mesh = make_box(
        {.lo = {-1, 0, 0}, .hi = {1, 1, 3}, .blocks = {3, 2, 4}, .geometry_order = order, .shuffle_seed = 9});
    const Index cells = mesh.num_cells();
    const auto walls = surface(mesh, "walls").entities;
    extrude_layers(mesh, walls, {.thickness = 0.5, .layers = 2, .volume = "layer", .back = "back"});
    check_mesh(mesh);
    EXPECT_EQ(mesh.num_cells() - cells, Index(walls.size()) * 6);
    EXPECT_NEAR(volume(mesh), 3.0 * 2.0 * 4.0, 1e-12);
    const auto topology = build_topology(mesh);
    for (const Index t : surface(mesh, "back").entities)
      EXPECT_EQ(topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])][1], -1);
    for (const Index t : walls)
      EXPECT_GE(topology.face_cells[std::size_t(topology.triangle_face[std::size_t(t)])][1], 0);
  }
}

TEST(LayerExtrusion, RefusesWhatIsNoClosedBoxOrSphere) {
  Mesh mesh = make_box({.blocks = {2, 2, 2}});
  const auto face = surface(mesh, "x0").entities, walls = surface(mesh, "walls").entities;
  EXPECT_THROW(extrude_layers(mesh, face, {.thickness = 0.1, .volume = "l", .back = "b"}), InputError);
  EXPECT_THROW(extrude_layers(mesh, {}, {.thickness = 0.1, .volume = "l", .back = "b"}), InputError);
  EXPECT_THROW(extrude_layers(mesh, walls, {.spherical = true, .thickness = 0.1, .volume = "l", .back = "b"}),
               InputError);
}

}  // namespace
}  // namespace curlew::mesh
