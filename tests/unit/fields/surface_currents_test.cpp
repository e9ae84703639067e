// SPDX-License-Identifier: BSD-3-Clause
#include "fields/surface_currents.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "elementary_dipoles.hpp"

namespace curlew::fields {
namespace {

const Exterior medium{2 * pi};

TEST(SurfacePoints, AreaAndOutwardNormalsOfABox) {
  for (const int geometry_order : {1, 2}) {
    const SurfacePoints points = box_surface(0.2, 3, 4, geometry_order);
    EXPECT_NEAR(std::accumulate(points.weight.begin(), points.weight.end(), 0.0), 6 * 0.16, 1e-12);
    for (std::size_t i = 0; i < points.position.size(); ++i)
      EXPECT_NEAR(dot(points.position[i], points.normal[i]), 0.2, 1e-12);
  }
}

/// Keeps the points of the part x > 0 (and y > 0) of a surface, as a symmetric model has them.
struct Part {
  SurfacePoints points;
  SurfaceCurrents currents;
};
Part positive_part(const SurfacePoints& all, const SurfaceCurrents& currents, int num_axes) {
  Part part;
  part.currents.count = 1;
  for (std::size_t i = 0; i < all.position.size(); ++i) {
    if (all.position[i].x < 0 || (num_axes > 1 && all.position[i].y < 0)) continue;
    part.points.position.push_back(all.position[i]);
    part.points.normal.push_back(all.normal[i]);
    part.points.weight.push_back(all.weight[i]);
    part.currents.electric.push_back(currents.electric[i]);
    part.currents.magnetic.push_back(currents.magnetic[i]);
  }
  return part;
}

TEST(SymmetryPlanes, ImagesOfAQuarterAreTheWholeSurface) {
  // A dipole along x: x = 0 is an electric wall, y = 0 a magnetic one.
  const auto dipole = [](Vec3<double> at) { return electric_dipole({1, 2}, 0, {}, at, medium); };
  const SurfacePoints all = box_surface(0.2, 4, 4);
  const Part part = positive_part(all, currents_of(all, dipole), 2);
  const std::vector<SymmetryPlane> planes{{0, 0.0, true}, {1, 0.0, false}};

  const SurfacePoints points = with_images(part.points, planes);
  const SurfaceCurrents currents = with_images(part.currents, planes);

  ASSERT_EQ(points.size(), all.size());
  const SurfaceCurrents want = currents_of(points, dipole);
  for (std::size_t i = 0; i < points.position.size(); ++i) {
    for (int x = 0; x < 3; ++x) {
      EXPECT_LT(std::abs(currents.electric[i][x] - want.electric[i][x]), 1e-10);
      EXPECT_LT(std::abs(currents.magnetic[i][x] - want.magnetic[i][x]), 1e-8);
    }
  }
}

}  // namespace
}  // namespace curlew::fields
