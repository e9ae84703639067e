// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/gmsh_velocity.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "test_paths.hpp"

namespace curlew::mesh {
namespace {

constexpr double radius = 0.2;

class VelocitiesOfASphere : public testing::Test {
 protected:
  std::string path_ = test::source_dir() + "/meshes/sphere_surface.geo";
  ImportOptions options_{.unit = "m", .size = 0.15, .order = 2, .parameters = {{"radius", radius}}};
  Mesh mesh_ = import_gmsh(path_, options_);
};

/// As of cells that were flattened because they folded over.
TEST_F(VelocitiesOfASphere, MiddlesOffTheirSurfaceGoWithTheEndsOfTheirEdge) {
  const Index* triangle = mesh_.triangle(0);
  const auto a = std::size_t(triangle[0]), b = std::size_t(triangle[1]), middle = std::size_t(triangle[3]);
  mesh_.nodes[middle] = 0.5 * (mesh_.nodes[a] + mesh_.nodes[b]);
  const auto velocity = surface_velocities(path_, options_, {"radius"}, mesh_).at(0);
  for (std::size_t n = 0; n < mesh_.nodes.size(); ++n)
    EXPECT_LT(norm(velocity[n] - (1 / radius) * mesh_.nodes[n]), 1e-5) << n;
}

TEST_F(VelocitiesOfASphere, CornersOffTheirSurfaceAreRefused) {
  auto& corner = mesh_.nodes[std::size_t(mesh_.triangle(0)[0])];
  corner = 0.9 * corner;
  EXPECT_THROW(surface_velocities(path_, options_, {"radius"}, mesh_), InputError);
}

}  // namespace
}  // namespace curlew::mesh
