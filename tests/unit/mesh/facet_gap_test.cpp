// SPDX-License-Identifier: BSD-3-Clause
// Facets brought to the mean place of their surface: volumes of balls, flat walls and edges of bodies.

#include "mesh/facet_gap.hpp"

#include <gtest/gtest.h>

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

/// 3/8 κ δ² of second-order facets is a small part of the gap of straight ones.
TEST(FacetGap, CurvedFacetsAreNearTheirSurface) {
  const Mesh ball = test::make_ball(4, 2);
  const Topology topology = build_topology(ball);
  const auto gaps = facet_gaps(ball, topology, outer_faces(topology));
  double largest = 0;
  for (const auto& gap : gaps) largest = std::max(largest, norm(gap));
  EXPECT_GT(largest, 1e-4);
  EXPECT_LT(largest, 3e-3);  // edges of about 0.4 R: 3/8 (0.02 R)²/R = 1.5e-4 R; the longest are 0.6 R
}

/// Between the parabolas of second-order facets and the cylinder, cells three and six times as long as wide:
/// what they lack of the volume is found, however long they are.
TEST(FacetGap, LongCurvedFacetsLackVolume) {
  for (const double length : {18.0, 36.0}) {
    const Mesh tube = test::make_coax(1, 3, length, {2, 12, 4}, 2);
    const double lacking = 8 * pi * length - volume(tube);
    const double found = (volume(moved(tube)) - volume(tube)) / lacking;
    EXPECT_GT(found, 0.8) << length;
    EXPECT_LT(found, 2.5) << length;
  }
}

}  // namespace
}  // namespace curlew::mesh
