// SPDX-License-Identifier: BSD-3-Clause
#include "fem/space.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "test_meshes.hpp"

namespace curlew::fem {
namespace {

std::vector<Complex> random_vector(Index n) {
  std::mt19937 generator(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Complex> x(static_cast<std::size_t>(n));
  for (auto& value : x) value = {uniform(generator), uniform(generator)};
  return x;
}

class SpaceOrder : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  int order = std::get<0>(GetParam()), geometry_order = std::get<1>(GetParam());
};
INSTANTIATE_TEST_SUITE_P(Space, SpaceOrder,
                         testing::Combine(testing::Values(1, 2, 3), testing::Values(1, 2)));

TEST_P(SpaceOrder, TangentialFieldsAgreeAcrossEveryFace) {
  const auto mesh = test::skewed_box({2, 2, 2}, geometry_order);
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_space(mesh, topology, order);
  const auto x = random_vector(space.num_dofs());

  for (Index face = 0; face < topology.num_faces(); ++face) {
    if (topology.face_cells[std::size_t(face)][1] < 0) continue;
    Vec3<Complex> side[2];
    Vec3<double> where[2], tangents[2];
    for (std::size_t s = 0; s < 2; ++s) {
      const Index cell = topology.face_cells[std::size_t(face)][s];
      const auto& faces = topology.cell_faces[std::size_t(cell)];
      const int local = int(std::find(faces.begin(), faces.end(), face) - faces.begin());
      const auto point = face_point_in_cell(local, 0.27, 0.41);
      FieldEvaluator(space, {point}).evaluate(cell, x.data(), &side[s], nullptr, &where[s]);
      const auto J = jacobian(cell_geometry(mesh, cell), point);
      tangents[0] = J * (face_point_in_cell(local, 1, 0) - face_point_in_cell(local, 0, 0));
      tangents[1] = J * (face_point_in_cell(local, 0, 1) - face_point_in_cell(local, 0, 0));
    }
    ASSERT_LT(norm(where[0] - where[1]), 1e-14);
    for (const auto& t : tangents) ASSERT_LT(std::abs(dot(side[0] - side[1], t)), 1e-12) << "face " << face;
  }
}

TEST_P(SpaceOrder, InterpolationReproducesPolynomialsOfDegreeOrderLessOne) {
  // On straight cells. (Curved cells map polynomials to something else.)
  const auto mesh = test::straightened(test::skewed_box({2, 2, 2}, geometry_order));
  const auto topology = mesh::build_topology(mesh);
  const auto space = make_space(mesh, topology, order);
  const Complex j(0, 1);
  const int p = order - 1;
  const auto power = [p](double t) { return std::pow(t, p); };
  const auto slope = [p](double t) { return p == 0 ? 0.0 : p * std::pow(t, p - 1); };
  const VectorField field = [&](Vec3<double> x) {
    return Vec3<Complex>{1.0 + power(x.y) - j * power(x.z), j * power(x.z) + 2 * power(x.x),
                         power(x.x - x.y) + 0.0 * j};
  };
  const VectorField curl = [&](Vec3<double> x) {
    return Vec3<Complex>{-slope(x.x - x.y) - j * slope(x.z), -j * slope(x.z) - slope(x.x - x.y),
                         2 * slope(x.x) - slope(x.y) + 0.0 * j};
  };

  const auto x = interpolate(space, field);

  const auto norms = field_error(space, x.data(), field, curl, 2 * order + 2);
  EXPECT_LT(norms.error_l2, 1e-12 * norms.norm_l2);
  EXPECT_LT(norms.error_curl, 1e-11 * (norms.norm_curl + 1));
}

TEST_P(SpaceOrder, InterpolationReproducesEveryMemberOfTheSpace) {
  const auto mesh = test::skewed_box({1, 1, 1}, geometry_order);
  const auto topology = mesh::build_topology(mesh);
  auto single = mesh;  // one cell, so that a member of the space is a plain function of position
  single.cells.assign(mesh.cell(0), mesh.cell(0) + mesh.nodes_per_cell());
  single.triangles.clear(), single.surfaces.clear(), single.volumes.clear();
  const auto single_topology = mesh::build_topology(single);
  const auto space = make_space(single, single_topology, order);
  const auto member = random_vector(space.num_dofs());
  const auto geometry = cell_geometry(single, 0);
  const VectorField field = [&](Vec3<double> x) {  // Newton for the reference point
    Vec3<double> xi{0.25, 0.25, 0.25};
    for (int i = 0; i < 20; ++i) {
      const auto J = jacobian(geometry, xi);
      xi += (1 / determinant(J)) * (adjugate(J) * (x - map_point(geometry, xi)));
    }
    Vec3<Complex> value;
    FieldEvaluator(space, {xi}).evaluate(0, member.data(), &value, nullptr);
    return value;
  };

  const auto x = interpolate(space, field);

  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_LT(std::abs(x[i] - member[i]), 1e-10) << "unknown " << i;
}

TEST(Space, NumbersAreGroupedByOrder) {
  const auto mesh = test::skewed_box({2, 1, 3});
  const auto topology = mesh::build_topology(mesh);
  const Index e = topology.num_edges(), f = topology.num_faces(), c = mesh.num_cells();
  for (int order = 1; order <= 3; ++order) {
    const auto space = make_space(mesh, topology, order);
    const std::array<Index, 4> expected{0, e, order > 1 ? 2 * e + 2 * f : e,
                                        order > 2 ? 3 * e + 6 * f + 3 * c : (order > 1 ? 2 * e + 2 * f : e)};
    EXPECT_EQ(space.block_offsets, expected);
    std::vector<int> seen(std::size_t(space.num_dofs()), 0);
    for (Index cell = 0; cell < c; ++cell) {
      Index dofs[max_cell_dim];
      space.cell_dofs(cell, dofs);
      for (int a = 0; a < nedelec_dim(order); ++a) {
        ASSERT_GE(dofs[a], 0);
        seen[std::size_t(dofs[a])] = 1;
        const int level = a < 6 ? 1 : (a < 20 ? 2 : 3);
        EXPECT_GE(dofs[a], space.block_offsets[std::size_t(level - 1)]);
        EXPECT_LT(dofs[a], space.block_offsets[std::size_t(level)]);
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), space.num_dofs());
  }
}

TEST(Space, ConstrainedSurfacesHaveNoUnknowns) {
  const auto mesh = test::skewed_box({2, 2, 2});
  const auto topology = mesh::build_topology(mesh);
  const auto all = make_space(mesh, topology, 3);
  const auto& walls = surface_triangles(mesh, "walls");

  const auto free = make_space(mesh, topology, 3, walls);

  EXPECT_EQ(free.num_dofs() + Index(surface_dofs(all, walls).size()), all.num_dofs());
  EXPECT_TRUE(surface_dofs(free, walls).empty());
}

/// Every cell has all functions of its order, an edge or face no level that none of its cells has, and
/// unknowns are numbered without gaps.
TEST(Space, EdgesAndFacesHaveTheHighestOrderOfTheirCells) {
  const auto mesh = test::skewed_box({2, 2, 2});
  const auto topology = mesh::build_topology(mesh);
  CellOrders orders;
  for (Index c = 0; c < mesh.num_cells(); ++c) orders.push_back(std::int8_t(1 + (5 * c) % 7 % 3));
  const auto space = make_space(mesh, topology, 1, {}, orders);
  std::vector<int> edges(std::size_t(topology.num_edges()), 1), faces(std::size_t(topology.num_faces()), 1);
  Index unknowns = 0;
  for (std::size_t c = 0; c < orders.size(); ++c) {
    EXPECT_EQ(space.cell_order(Index(c)), orders[c]);
    for (const Index e : topology.cell_edges[c])
      edges[std::size_t(e)] = std::max<int>(edges[std::size_t(e)], orders[c]);
    for (const Index f : topology.cell_faces[c])
      faces[std::size_t(f)] = std::max<int>(faces[std::size_t(f)], orders[c]);
    unknowns += orders[c] == 3 ? 3 : 0;
    Index dofs[max_cell_dim];
    space.cell_dofs(Index(c), dofs);
    for (int a = 0; a < nedelec_dim(orders[c]); ++a) EXPECT_GE(dofs[a], 0) << c << " " << a;
  }
  for (const int order : edges) unknowns += order;
  for (const int order : faces) unknowns += order * (order - 1);
  EXPECT_EQ(space.num_dofs(), unknowns);
  EXPECT_FALSE(space.is_uniform());
  EXPECT_THROW(make_space(mesh, topology, 2, {}, {3}), InputError);
}

TEST(Space, WrongOrderAndUnknownSurfaceAreRefused) {
  const auto mesh = mesh::make_box({});
  const auto topology = mesh::build_topology(mesh);
  EXPECT_THROW(make_space(mesh, topology, 0), InputError);
  EXPECT_THROW(make_space(mesh, topology, 4), InputError);
  try {
    surface_triangles(mesh, "wals");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("walls"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace curlew::fem
