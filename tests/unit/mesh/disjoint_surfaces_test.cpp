// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/disjoint_surfaces.hpp"

#include <gtest/gtest.h>

namespace curlew::mesh {
namespace {

TEST(DisjointSurfaces, WhatSurfacesShareBecomesOneOfItsOwn) {
  Mesh mesh;
  mesh.triangles = {0, 1, 2, 1, 2, 3, 2, 3, 4};
  mesh.surfaces = {{"a", {0, 1}}, {"b", {1, 2}}, {"none of a", {2}}};

  const auto apart = with_disjoint_surfaces(mesh, {});

  ASSERT_TRUE(apart);
  std::vector<std::pair<std::string, std::vector<Index>>> found;
  for (const auto& surface : apart->surfaces) found.push_back({surface.name, surface.entities});
  EXPECT_EQ(found, (decltype(found){{"a", {0}}, {"a & b", {1}}, {"b & none of a", {2}}}));
  EXPECT_FALSE(with_disjoint_surfaces(*apart, {}));
  const std::string port[] = {"a"};
  EXPECT_EQ(with_disjoint_surfaces(mesh, port)->surfaces.at(0).entities, (std::vector<Index>{0, 1}));
  EXPECT_EQ(with_disjoint_surfaces(mesh, port)->surfaces.at(1).name, "b & none of a");
  EXPECT_TRUE(is_part_of("a & b", "a"));
  EXPECT_TRUE(is_part_of("a & b", "b"));
  EXPECT_FALSE(is_part_of("b & none of a", "a"));
}

}  // namespace
}  // namespace curlew::mesh
