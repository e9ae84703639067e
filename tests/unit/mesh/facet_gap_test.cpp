// SPDX-License-Identifier: BSD-3-Clause
// Facets brought to the mean place of their surface: volumes of balls, flat walls and edges of bodies.

#include "mesh/facet_gap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "../../convergence/ball_mesh.hpp"
#include "../../convergence/coax_mesh.hpp"
#include "base/constants.hpp"
#include "mesh/box.hpp"
#include "mesh/jacobian.hpp"

namespace curlew::mesh {
namespace {

std::vector<SurfaceFace> outer_faces(const Topology& topology) {
  std::vector<SurfaceFace> faces;
  for (Index f = 0; f < topology.num_faces(); ++f)
    if (topology.face_cells[std::size_t(f)][1] < 0) faces.push_back({f, true});
  return faces;
}

/// Exact for curved cells too, whose Jacobian has degree 3: Keast's rule of five points.
double volume(const Mesh& mesh) {
  double sum = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    double mean = -0.8 * evaluate_cell(mesh, c, {0.25, 0.25, 0.25, 0.25}).determinant();
    for (std::size_t i = 0; i < 4; ++i) {
      Barycentric place{1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};
      place[i] = 0.5;
      mean += 0.45 * evaluate_cell(mesh, c, place).determinant();
    }
    sum += std::abs(mean) / 6;
  }
  return sum;
}

Mesh moved(Mesh mesh) {
  const Topology topology = build_topology(mesh);
  const auto gaps = facet_gaps(mesh, topology, outer_faces(topology));
  for (std::size_t i = 0; i < gaps.size(); ++i) mesh.nodes[i] += gaps[i];
  return mesh;
}

TEST(FacetGap, MovedFacetsGiveTheVolumeOfTheBall) {
  const double exact = 4 * pi / 3;
  for (const int n : {3, 5}) {
    const Mesh ball = test::make_ball(n, 1);
    const double before = exact - volume(ball), after = exact - volume(moved(ball));
    EXPECT_LT(std::abs(after), 0.15 * before) << n;
  }
}

/// A tube: the outer wall goes out, the inner one in, and the flat ends stay flat.
TEST(FacetGap, RoundWallsMoveAndFlatEndsStay) {
  const double a = 1, b = 3, length = 2;
  const Mesh tube = test::make_coax(a, b, length, {2, 16, 2}, 1);
  const double exact = pi * (b * b - a * a) * length;
  const Mesh better = moved(tube);
  EXPECT_LT(std::abs(exact - volume(better)), 0.2 * (exact - volume(tube)));
  for (std::size_t i = 0; i < tube.nodes.size(); ++i) EXPECT_NEAR(better.nodes[i].z, tube.nodes[i].z, 1e-6);
}

TEST(FacetGap, BoxesDoNotMove) {
  const Mesh box = make_box({.blocks = {2, 3, 2}});
  const Topology topology = build_topology(box);
  for (const auto& gap : facet_gaps(box, topology, outer_faces(topology))) EXPECT_LT(norm(gap), 1e-12);
}

/// A wall that bends by 20 degrees is no curved surface, however the facets lie in its two planes.
TEST(FacetGap, WallsThatMeetAtASmallAngleDoNotMove) {
  Mesh bent = make_box({.blocks = {4, 3, 2}});
  for (auto& x : bent.nodes)
    if (x.x > 0.5) x.z += std::tan(20 * pi / 180) * (x.x - 0.5);
  const Topology topology = build_topology(bent);
  for (const auto& gap : facet_gaps(bent, topology, outer_faces(topology))) EXPECT_LT(norm(gap), 1e-12);
}

/// The gap of second-order facets is a small part of that of straight ones.
TEST(FacetGap, CurvedFacetsAreNearTheirSurface) {
  const Mesh ball = test::make_ball(4, 2);
  const Topology topology = build_topology(ball);
  const auto gaps = facet_gaps(ball, topology, outer_faces(topology));
  double largest = 0;
  for (const auto& gap : gaps) largest = std::max(largest, norm(gap));
  EXPECT_GT(largest, 1e-4);
  EXPECT_LT(largest, 3e-3);  // edges of about 0.4 R: 0.37 (0.02 R)²/R = 1.5e-4 R; the longest are 0.6 R
}

/// Between the parabolas of second-order facets and the cylinder, cells three and six times as long as wide:
/// what they lack of the volume is found, however long they are.
TEST(FacetGap, LongCurvedFacetsLackVolume) {
  for (const double length : {18.0, 36.0}) {
    const Mesh tube = test::make_coax(1, 3, length, {2, 12, 4}, 2);
    const double lacking = 8 * pi * length - volume(tube);
    const double found = (volume(moved(tube)) - volume(tube)) / lacking;
    EXPECT_NEAR(found, 1, 0.05) << length;
  }
}

/// The same on a ball, where both curvatures count.
TEST(FacetGap, CurvedFacetsOfABallLackVolume) {
  for (const int n : {4, 6}) {
    const Mesh ball = test::make_ball(n, 2);
    const double lacking = 4 * pi / 3 - volume(ball);
    EXPECT_NEAR((volume(moved(ball)) - volume(ball)) / lacking, 1, 0.2) << n;
  }
}

/// Six edges around, one cell along: all corners are on rims, and facets turn by more than edges of bodies
/// may. A parabola over an arc of 60 degrees has less area than the segment, by Simpson's rule for (R, R, R).
TEST(FacetGap, ArcsOfSixtyDegreesBetweenRimsLackVolume) {
  const Mesh tube = test::make_coax(1, 3, 2, {1, 6, 1}, 2);
  const double lacking = 16 * pi - volume(tube);
  EXPECT_GT(lacking, 1e-4 * 16 * pi);
  const double found = (volume(moved(tube)) - volume(tube)) / lacking;
  EXPECT_GT(found, 0.7);
  EXPECT_LT(found, 2);
}

/// Edges of the outer wall on their chords, as em-mesh leaves some: moved facets give back the volume.
TEST(FacetGap, FlattenedEdgesLackTheirArcs) {
  Mesh tube = test::make_coax(1, 3, 8, {2, 12, 4}, 2);
  const double full = volume(tube);
  const auto arc = [&](Index a, Index b) {
    const auto on = [&](Index n) { return std::hypot(tube.nodes[n].x, tube.nodes[n].y) > 3 - 1e-9; };
    return on(a) && on(b) && tube.nodes[a].x > 2 && tube.nodes[b].x > 2 && tube.nodes[a].z > 1 &&
           tube.nodes[a].z < 7 && tube.nodes[b].z > 1 && tube.nodes[b].z < 7;
  };
  for (Index c = 0; c < tube.num_cells(); ++c)
    for (std::size_t e = 0; e < cell_edge_vertices.size(); ++e) {
      const auto [i, j] = cell_edge_vertices[e];
      const Index a = tube.cell(c)[i], b = tube.cell(c)[j];
      if (arc(a, b)) tube.nodes[tube.cell(c)[4 + e]] = 0.5 * (tube.nodes[a] + tube.nodes[b]);
    }
  const double lacking = full - volume(tube), exact = 64 * pi - volume(tube);
  EXPECT_GT(lacking, 5 * (64 * pi - full));
  const double found = volume(moved(tube)) - volume(tube);
  EXPECT_GT(found, 0.6 * exact);
  EXPECT_LT(found, 1.6 * exact);
}

/// A cone has no normal at its tip: its generators are straight, and their middle nodes stay.
TEST(FacetGap, GeneratorsOfConesStayStraight) {
  for (const double half_angle : {15.0, 30.0, 45.0}) {
    const double radius = std::tan(half_angle * pi / 180), length = std::hypot(1, radius);
    const auto on_ring = [&](double sixths) {
      return Vec3<double>{radius * std::cos(sixths * pi / 3), radius * std::sin(sixths * pi / 3), 0};
    };
    Mesh cone;
    cone.geometry_order = 2;
    cone.surfaces = {{"cone", {}}};
    cone.nodes = {{0, 0, 1}};
    for (int i = 0; i < 6; ++i) cone.nodes.push_back(on_ring(i));
    for (int i = 0; i < 6; ++i) cone.nodes.push_back(0.5 * (cone.nodes[0] + on_ring(i)));
    for (int i = 0; i < 6; ++i) cone.nodes.push_back(on_ring(i + 0.5));
    for (Index i = 0; i < 6; ++i) {
      const Index j = (i + 1) % 6;
      const auto [a, b] = std::minmax(i, j);
      cone.surfaces[0].entities.push_back(cone.num_triangles());
      for (const Index n : {Index(0), 1 + a, 1 + b, 7 + a, 7 + b, 13 + i}) cone.triangles.push_back(n);
    }
    const auto gaps = facet_gaps(cone);
    for (std::size_t i = 7; i < 13; ++i) EXPECT_LT(norm(gaps[i]), 0.02 * length) << half_angle;
  }
}

}  // namespace
}  // namespace curlew::mesh
