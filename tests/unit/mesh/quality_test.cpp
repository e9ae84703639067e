// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/quality.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "mesh/box.hpp"

namespace curlew::mesh {
namespace {

TEST(Quality, KuhnCellsHaveTheirKnownShape) {
  const auto report = report_quality(make_box({.hi = {2, 2, 2}, .blocks = {2, 2, 2}, .shuffle_seed = 1}));

  ASSERT_EQ(report.volumes.size(), 1u);
  const VolumeReport& volume = report.volumes[0];
  // Edges 1, 1, 1, sqrt 2, sqrt 2, sqrt 3; volume 1/6: mean ratio 12 (1/2)^(2/3) / 10.
  EXPECT_EQ(volume.cells, 48);
  EXPECT_NEAR(volume.volume, 8, 1e-13);
  EXPECT_NEAR(volume.min_edge, 1, 1e-14);
  EXPECT_NEAR(volume.max_edge, std::sqrt(3.0), 1e-14);
  EXPECT_NEAR(volume.mean_edge, (3 + 2 * std::sqrt(2.0) + std::sqrt(3.0)) / 6, 1e-13);
  EXPECT_NEAR(volume.min_shape, 1.2 * std::cbrt(0.25), 1e-13);
  EXPECT_NEAR(volume.mean_shape, volume.min_shape, 1e-13);
  EXPECT_EQ(volume.min_jacobian, 1);
  EXPECT_EQ(report.surfaces.at(6).name, "walls");
  EXPECT_NEAR(report.surfaces.at(6).area, 24, 1e-12);
  EXPECT_EQ(report.hi, (Vec3<double>{2, 2, 2}));
}

TEST(Quality, VolumeOfCurvedCellsIsExact) {
  Mesh mesh = make_box({.blocks = {2, 1, 3}, .geometry_order = 2});
  // A cubic determinant: each coordinate is mapped by a quadratic polynomial, the box [0, 1]^3 onto itself.
  for (auto& x : mesh.nodes)
    for (int d = 0; d < 3; ++d) x[d] += 0.2 * x[d] * (1 - x[d]);

  const auto report = report_quality(mesh);

  EXPECT_NEAR(report.volumes[0].volume, 1, 1e-13);
  EXPECT_LT(report.volumes[0].min_jacobian, 0.9);
}

TEST(Quality, EdgeInWavelengthsScalesWithFrequencyAndIndex) {
  const VolumeReport region{.name = "air", .max_edge = 0.1};

  EXPECT_NEAR(edge_in_wavelengths(region, speed_of_light, 1.0), 0.1, 1e-15);
  EXPECT_NEAR(edge_in_wavelengths(region, speed_of_light / 2, 3.0), 0.15, 1e-15);
}

}  // namespace
}  // namespace curlew::mesh
