// SPDX-License-Identifier: BSD-3-Clause
#include "fem/geometry.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "fem/assembly.hpp"
#include "quadrature/rules.hpp"
#include "test_meshes.hpp"

namespace curlew::fem {
namespace {

double volume(const mesh::Mesh& mesh) {
  const auto rule = quadrature::tetrahedron_rule(6);
  double sum = 0;
  for (Index c = 0; c < mesh.num_cells(); ++c)
    for (int q = 0; q < rule.size(); ++q)
      sum += rule.weights[std::size_t(q)] *
             std::abs(determinant(jacobian(cell_geometry(mesh, c), rule.points[std::size_t(q)])));
  return sum;
}

TEST(Geometry, JacobianIsTheDerivativeOfTheMap) {
  const auto mesh = test::skewed_box({1, 1, 1}, 2);
  const auto geometry = cell_geometry(mesh, 3);
  const Vec3<double> xi{0.2, 0.3, 0.1};
  const auto J = jacobian(geometry, xi);
  for (int d = 0; d < 3; ++d) {
    Vec3<double> step;
    step[d] = 1e-6;
    const auto slope = (1 / 2e-6) * (map_point(geometry, xi + step) - map_point(geometry, xi - step));
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(J(i, d), slope[i], 1e-9);
  }
}

TEST(Geometry, NodesAreWhereTheMeshSays) {
  const auto mesh = test::skewed_box({1, 1, 1}, 2);
  const auto geometry = cell_geometry(mesh, 0);
  const Vec3<double> vertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [i, j] = mesh::cell_edge_vertices[e];
    const auto middle = map_point(geometry, 0.5 * (vertices[i] + vertices[j]));
    EXPECT_LT(norm(middle - mesh.nodes[std::size_t(mesh.cell(0)[4 + e])]), 1e-15);
  }
}

TEST(Geometry, CellsFillTheBoxExactly) {
  mesh::Box box;
  box.hi = {1, 0.75, 0.5};
  box.blocks = {3, 2, 2};
  EXPECT_NEAR(volume(mesh::make_box(box)), 0.375, 1e-14);
  box.geometry_order = 2;
  EXPECT_NEAR(volume(mesh::make_box(box)), 0.375, 1e-14);
}

TEST(Geometry, FacePointsAgreeWithTriangles) {
  const auto mesh = test::skewed_box({2, 1, 1}, 2);
  const auto topology = mesh::build_topology(mesh);
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    const Index face = topology.triangle_face[std::size_t(t)];
    const Index cell = topology.face_cells[std::size_t(face)][0];
    const auto& faces = topology.cell_faces[std::size_t(cell)];
    const int local = int(std::find(faces.begin(), faces.end(), face) - faces.begin());
    const auto in_cell = map_point(cell_geometry(mesh, cell), face_point_in_cell(local, 0.2, 0.5));
    EXPECT_LT(norm(in_cell - map_point(triangle_geometry(mesh, t), 0.2, 0.5)), 1e-14);
  }
}

TEST(Geometry, StraightAndBentCellsAreTold) {
  const auto bent = test::skewed_box({2, 2, 2}, 2);
  const auto straight = test::straightened(bent);
  EXPECT_FALSE(is_straight(cell_geometry(bent, 0)));
  EXPECT_TRUE(is_straight(cell_geometry(straight, 0)));
}

TEST(Geometry, CellsWithoutVolumeAndFoldedCellsAreRefused) {
  auto flat = mesh::make_box({});
  flat.nodes[std::size_t(flat.cell(5)[3])] = flat.nodes[std::size_t(flat.cell(5)[2])];
  const auto flat_topology = mesh::build_topology(flat);
  const auto flat_space = make_space(flat, flat_topology, 1);
  EXPECT_THROW(Assembler{flat_space}, InputError);

  mesh::Box box;
  box.geometry_order = 2;
  box.blocks = {1, 1, 1};
  auto folded = mesh::make_box(box);
  folded.nodes[std::size_t(folded.cell(0)[4])] += Vec3<double>{2, -1, 1};
  const auto folded_topology = mesh::build_topology(folded);
  const auto folded_space = make_space(folded, folded_topology, 1);
  EXPECT_THROW(Assembler{folded_space}, InputError);
}

}  // namespace
}  // namespace curlew::fem
