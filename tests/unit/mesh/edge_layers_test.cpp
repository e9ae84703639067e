// SPDX-License-Identifier: BSD-3-Clause
// Cells cut towards the rims of sheets: sound meshes of the same volume and surfaces, thin across the rim and
// as long along it as before; which edges are rims, by hand.

#include "mesh/edge_layers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "mesh/box.hpp"
#include "mesh/check.hpp"
#include "mesh/jacobian.hpp"
#include "mesh/rims.hpp"

namespace curlew::mesh {
namespace {

/// A cube of n³ blocks with the triangles of x = 1/2 whose middles fulfil a condition as the surface "plate",
/// bent, too, at x = y = 1/2: with those of y = 1/2 and x < 1/2.
template <class Inside>
Mesh cube_with_plate(int n, int geometry_order, const Inside& inside, bool is_bent = false) {
  Mesh mesh = make_box({.blocks = {n, n, n}, .geometry_order = geometry_order, .shuffle_seed = 3});
  Region plate{"plate", {}};
  std::set<std::array<Index, 3>> seen;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (const auto& face : cell_face_vertices) {
      const auto node = [&](int i) { return mesh.cell(c)[face[std::size_t(i)]]; };
      Vec3<double> middle{};
      bool lies_on = true, lies_across = is_bent;
      for (int i = 0; i < 3; ++i) {
        const auto& at = mesh.nodes[std::size_t(node(i))];
        lies_on = lies_on && std::abs(at.x - 0.5) < 1e-12;
        lies_across = lies_across && std::abs(at.y - 0.5) < 1e-12 && at.x < 0.5 + 1e-12;
        middle += (1.0 / 3) * at;
      }
      if (!((lies_on && inside(middle)) || lies_across) || !seen.insert({node(0), node(1), node(2)}).second)
        continue;
      plate.entities.push_back(mesh.num_triangles());
      for (int i = 0; i < 3; ++i) mesh.triangles.push_back(node(i));
      if (geometry_order == 2)
        for (const auto& [a, b] : triangle_edge_vertices)
          for (std::size_t e = 0; e < 6; ++e)
            if (cell_edge_vertices[e] == std::array{face[std::size_t(a)], face[std::size_t(b)]})
              mesh.triangles.push_back(mesh.cell(c)[4 + e]);
    }
  mesh.surfaces.push_back(plate);
  return mesh;
}

double volume_of(const Mesh& mesh) {
  double sum = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto at = [&](int i) { return mesh.nodes[std::size_t(mesh.cell(c)[i])]; };
    sum += std::abs(dot(at(1) - at(0), cross(at(2) - at(0), at(3) - at(0)))) / 6;
  }
  return sum;
}

double area_of(const Mesh& mesh, const Region& region) {
  double sum = 0;
  for (const Index t : region.entities) {
    const auto at = [&](int i) { return mesh.nodes[std::size_t(mesh.triangle(t)[i])]; };
    sum += 0.5 * norm(cross(at(1) - at(0), at(2) - at(0)));
  }
  return sum;
}

/// The half y < 1/2 of the plate: its rim is the line x = y = 1/2.
std::vector<char> rims_of_plate(const Mesh& mesh, const Topology& topology) {
  return rims(mesh, topology, mesh.surfaces.back().entities);
}

TEST(EdgeLayers, RimsAreFoundByTheAngleAround) {
  const int n = 4;
  const Mesh half = cube_with_plate(n, 1, [](Vec3<double> x) { return x.y < 0.5; });
  const Topology topology = build_topology(half);
  const auto is_rim = rims_of_plate(half, topology);
  EXPECT_EQ(std::count(is_rim.begin(), is_rim.end(), 1), n);  // not where it meets the walls of the cube
  for (std::size_t e = 0; e < is_rim.size(); ++e) {
    if (!is_rim[e]) continue;
    for (const Index v : topology.edges[e]) EXPECT_NEAR(half.nodes[std::size_t(v)].y, 0.5, 1e-12);
  }
  // All of a plate across the cube, and its walls: no rim.
  const Mesh whole = cube_with_plate(n, 1, [](Vec3<double>) { return true; });
  auto conductors = whole.surfaces.back().entities;
  for (const auto& region : whole.surfaces)
    conductors.insert(conductors.end(), region.entities.begin(), region.entities.end());
  const auto none = rims(whole, build_topology(whole), conductors);
  EXPECT_EQ(std::count(none.begin(), none.end(), 1), 0);
}

/// A plate bent by 90 degrees, which has 270 free at the bend: sharp, but no rim.
TEST(EdgeLayers, SharpEdgesHaveLessFreeThanRims) {
  const int n = 4;
  const Mesh bent = cube_with_plate(
      n, 1, [](Vec3<double> x) { return x.y < 0.5; }, true);
  const Topology topology = build_topology(bent);
  const auto& conductors = bent.surfaces.back().entities;
  const auto is_rim = rims(bent, topology, conductors),
             is_sharp = rims(bent, topology, conductors, sharp_angle);
  EXPECT_EQ(std::count(is_rim.begin(), is_rim.end(), 1), 0);
  EXPECT_EQ(std::count(is_sharp.begin(), is_sharp.end(), 1), n);
  for (std::size_t e = 0; e < is_sharp.size(); ++e) {
    if (!is_sharp[e]) continue;
    for (const Index v : topology.edges[e]) {
      EXPECT_NEAR(bent.nodes[std::size_t(v)].x, 0.5, 1e-12);
      EXPECT_NEAR(bent.nodes[std::size_t(v)].y, 0.5, 1e-12);
    }
  }
}

/// A conductor on half of a wall beside a plane of symmetry: the wall's mirror image makes a sheet of it.
TEST(EdgeLayers, RimsOnAPlaneOfSymmetry) {
  Mesh mesh = make_box({.blocks = {4, 4, 4}});
  Region half{"half", {}};
  for (const auto& region : mesh.surfaces)
    if (region.name == "x0")
      for (const Index t : region.entities) {
        const Index* n = mesh.triangle(t);
        if (std::all_of(n, n + 3, [&](Index v) { return mesh.nodes[std::size_t(v)].y < 0.5 + 1e-12; }))
          half.entities.push_back(t);
      }
  const auto is_rim = rims(mesh, build_topology(mesh), half.entities);
  EXPECT_EQ(std::count(is_rim.begin(), is_rim.end(), 1), 4);
}

TEST(EdgeLayers, AreThinAndSoundAndFillTheSameRoom) {
  for (const int geometry_order : {1, 2})
    for (const int layers : {0, 1, 3}) {
      const int n = 4;
      Mesh mesh = cube_with_plate(n, geometry_order, [](Vec3<double> x) { return x.y < 0.5; });
      mesh.element_orders.assign(std::size_t(mesh.num_cells()), 3);
      mesh.element_orders[0] = 1;
      const Topology topology = build_topology(mesh);
      const auto layered = add_edge_layers(mesh, topology, rims_of_plate(mesh, topology), layers);
      ASSERT_NO_THROW(check_mesh(layered.mesh)) << geometry_order << layers;
      const Topology after = build_topology(layered.mesh);
      // A ball: vertices - edges + faces - cells = 1. Curved cells also have a node in the middle of each
      // edge.
      const auto vertices = Index(layered.mesh.nodes.size()) - (geometry_order == 2 ? after.num_edges() : 0);
      EXPECT_EQ(vertices - after.num_edges() + after.num_faces() - layered.mesh.num_cells(), 1);
      EXPECT_NEAR(volume_of(layered.mesh), 1, 1e-12);
      for (std::size_t r = 0; r < mesh.surfaces.size(); ++r)
        EXPECT_NEAR(area_of(layered.mesh, layered.mesh.surfaces[r]), area_of(mesh, mesh.surfaces[r]), 1e-12);
      EXPECT_EQ(Index(layered.mesh.volumes[0].entities.size()), layered.mesh.num_cells());
      EXPECT_TRUE(std::is_sorted(layered.parents.begin(), layered.parents.end()));
      // The rim is the same line in as many pieces, and nodes joined to it are near.
      const auto is_rim = rims_of_plate(layered.mesh, after);
      EXPECT_EQ(std::count(is_rim.begin(), is_rim.end(), 1), n);
      std::set<Index> at;
      for (std::size_t e = 0; e < is_rim.size(); ++e)
        if (is_rim[e]) at.insert(after.edges[e].begin(), after.edges[e].end());
      double farthest = 0;
      for (const auto& edge : after.edges)
        for (const Index v : edge)
          if (at.count(edge[0]) + at.count(edge[1]) == 1) {
            const auto& node = layered.mesh.nodes[std::size_t(v)];
            farthest = std::max(farthest, std::hypot(node.x - 0.5, node.y - 0.5));
          }
      EXPECT_NEAR(farthest, std::sqrt(2.0) / n * std::pow(0.25, layers), 1e-12);
      // Cells have the orders of those that they are parts of, thin ones at the rim at most 2.
      for (Index c = 0; c < layered.mesh.num_cells(); ++c) {
        const Index* v = layered.mesh.cell(c);
        const bool is_thin = layers > 0 && std::any_of(v, v + 4, [&](Index i) { return at.count(i) != 0; });
        const int order = mesh.element_orders[std::size_t(layered.parents[std::size_t(c)])];
        EXPECT_EQ(layered.mesh.element_orders[std::size_t(c)], is_thin ? std::min(order, 2) : order);
      }
    }
}

/// Outer layers are the thinner ones by ratio; all together leave 4^-layers.
TEST(EdgeLayers, SharesFallInwards) {
  EXPECT_DOUBLE_EQ(layer_share(0, 3), 1.0 / 2);
  EXPECT_DOUBLE_EQ(layer_share(1, 3), 1.0 / 4);
  EXPECT_DOUBLE_EQ(layer_share(2, 3), 1.0 / 8);
  for (int layers = 1; layers <= 4; ++layers) {
    double left = 1;
    for (int layer = 0; layer < layers; ++layer) left *= layer_share(layer, layers);
    EXPECT_NEAR(left, std::pow(4, -layers), 1e-15);
  }
}

/// A strip as wide as one cell: edges from rim to rim are halved, so that both rims have their layers.
TEST(EdgeLayers, OfANarrowStrip) {
  Mesh strip = make_box({.blocks = {4, 4, 4}, .shuffle_seed = 5});
  const Topology topology = build_topology(strip);
  Region plate{"plate", {}};
  for (const auto& face : topology.faces)
    if (std::all_of(face.begin(), face.end(), [&](Index v) {
          const auto& at = strip.nodes[std::size_t(v)];
          return std::abs(at.x - 0.5) < 1e-12 && at.y > 0.25 - 1e-12 && at.y < 0.5 + 1e-12;
        })) {
      plate.entities.push_back(strip.num_triangles());
      strip.triangles.insert(strip.triangles.end(), face.begin(), face.end());
    }
  strip.surfaces.push_back(plate);
  const Topology with_plate = build_topology(strip);
  const auto layered = add_edge_layers(strip, with_plate, rims_of_plate(strip, with_plate), 2);
  ASSERT_NO_THROW(check_mesh(layered.mesh));
  EXPECT_NEAR(volume_of(layered.mesh), 1, 1e-12);
  EXPECT_NEAR(area_of(layered.mesh, layered.mesh.surfaces.back()), 0.25, 1e-12);
  const Topology after = build_topology(layered.mesh);
  const auto is_rim = rims_of_plate(layered.mesh, after);
  EXPECT_EQ(std::count(is_rim.begin(), is_rim.end(), 1), 8);
}

}  // namespace
}  // namespace curlew::mesh
