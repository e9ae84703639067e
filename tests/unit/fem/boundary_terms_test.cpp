// SPDX-License-Identifier: BSD-3-Clause
#include "fem/boundary_terms.hpp"

#include <gtest/gtest.h>

#include "fem/assembly.hpp"
#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "test_meshes.hpp"

namespace curlew::fem {
namespace {

class TraceOrder : public testing::TestWithParam<std::tuple<int, int>> {
 protected:
  int order = std::get<0>(GetParam()), geometry_order = std::get<1>(GetParam());
  mesh::Mesh mesh = test::skewed_box({2, 2, 1}, geometry_order);
  mesh::Topology topology = mesh::build_topology(mesh);
  NedelecSpace space = make_space(mesh, topology, order);
};
INSTANTIATE_TEST_SUITE_P(BoundaryTerms, TraceOrder,
                         testing::Combine(testing::Values(1, 2, 3), testing::Values(1, 2)));

TEST_P(TraceOrder, IsTheTangentialPartOfTheFieldInTheCell) {
  std::vector<Complex> x(std::size_t(space.num_dofs()));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {std::sin(1.0 + double(i)), std::cos(2.0 * double(i))};
  const TraceEvaluator evaluator(space, 4);
  TriangleTrace trace;
  for (Index t = 0; t < mesh.num_triangles(); ++t) {
    evaluator.evaluate(t, trace);
    const auto geometry = triangle_geometry(mesh, t);
    for (std::size_t q = 0; q < trace.points.size(); ++q) {
      Vec3<Complex> tangential;
      Complex normal_curl = 0;
      for (int a = 0; a < trace.num_functions; ++a) {
        const auto at = q * std::size_t(trace.num_functions) + std::size_t(a);
        tangential += x[std::size_t(trace.dofs[std::size_t(a)])] * trace.values[at];
        normal_curl += x[std::size_t(trace.dofs[std::size_t(a)])] * trace.normal_curls[at];
      }
      // The same point in the cell, found by Newton: no formula of the trace is used.
      const auto cell = cell_geometry(mesh, trace.cell);
      Vec3<double> xi{0.25, 0.25, 0.25};
      for (int i = 0; i < 30; ++i) {
        const auto J = jacobian(cell, xi);
        xi += (1 / determinant(J)) * (adjugate(J) * (trace.points[q] - map_point(cell, xi)));
      }
      Vec3<Complex> e, curl;
      FieldEvaluator(space, {xi}).evaluate(trace.cell, x.data(), &e, &curl);
      const auto n = trace.normals[q];
      const Vec3<Complex> expected = e - dot(e, n) * Vec3<Complex>{n.x, n.y, n.z};
      for (int d = 0; d < 3; ++d) ASSERT_LT(std::abs(tangential[d] - expected[d]), 1e-9);
      ASSERT_LT(std::abs(normal_curl - dot(curl, n)), 1e-8);
      ASSERT_NEAR(norm(n), 1, 1e-14);
    }
    (void)geometry;
  }
}

TEST_P(TraceOrder, NormalsPointOutward) {  // divergence theorem: int x . n dS = 3 V, from the same cells
  const TraceEvaluator evaluator(space, 6);
  TriangleTrace trace;
  double flux = 0;
  for (const Index t : surface_triangles(mesh, "walls")) {
    evaluator.evaluate(t, trace);
    for (std::size_t q = 0; q < trace.points.size(); ++q)
      flux += trace.weights[q] * dot(trace.points[q], trace.normals[q]);
  }
  const auto one = field_error(
      space, std::vector<Complex>(std::size_t(space.num_dofs())).data(),
      [](Vec3<double>) {
        return Vec3<Complex>{1.0, 0.0, 0.0};
      },
      [](Vec3<double>) { return Vec3<Complex>{}; }, 6);
  EXPECT_NEAR(flux, 3 * one.norm_l2 * one.norm_l2, 1e-12);
}

TEST(TangentialMass, OfAConstantFieldIsItsTangentialSquareTimesArea) {
  mesh::Box box;
  box.hi = {1.0, 0.75, 0.5};
  box.blocks = {2, 2, 2};
  box.shuffle_seed = 5;
  const auto mesh = mesh::make_box(box);
  const auto topology = mesh::build_topology(mesh);
  for (const int order : {1, 2, 3}) {
    const auto space = make_space(mesh, topology, order);
    const auto x = interpolate(space, [](Vec3<double>) { return Vec3<Complex>{3.0, 2.0, 1.0}; });
    auto a = Assembler(space).create_matrix<Complex>();

    add_tangential_mass(space, surface_triangles(mesh, "x1"), Complex(0, 2), a);

    Complex sum = 0;
    for (Index i = 0; i < a.num_rows; ++i)
      for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
        sum += x[std::size_t(i)] * a.values[std::size_t(k)] * x[std::size_t(a.columns[std::size_t(k)])];
    const double area = 0.75 * 0.5;
    EXPECT_LT(std::abs(sum - Complex(0, 2) * area * 5.0), 1e-12);
  }
}

TEST(Loads, TestedWithAKnownFieldGiveItsIntegral) {
  mesh::Box box;
  box.hi = {1.0, 0.75, 0.5};
  box.blocks = {2, 1, 2};
  box.shuffle_seed = 5;
  const auto mesh = mesh::make_box(box);
  const auto topology = mesh::build_topology(mesh);
  for (const int order : {1, 2, 3}) {
    const auto space = make_space(mesh, topology, order);
    const auto x = interpolate(space, [](Vec3<double>) { return Vec3<Complex>{0.0, 2.0, 0.0}; });
    std::vector<Complex> volume(x.size()), surface(x.size());

    // int 2 y j dV = 2 j * 0.5 * 0.75^2 / 2; int over x = 1 of 2 z dS = 2 * 0.75 * 0.5^2 / 2
    add_volume_load(
        space,
        [](Vec3<double> r) {
          return Vec3<Complex>{r.x, Complex(0, r.y), 7.0};
        },
        4, volume.data());
    add_surface_load(
        space, surface_triangles(mesh, "x1"),
        [](Vec3<double> r, Vec3<double> n) {
          return Vec3<Complex>{5.0, n.x * r.z, 1.0};
        },
        4, surface.data());

    Complex in_volume = 0, on_surface = 0;
    for (std::size_t i = 0; i < x.size(); ++i) in_volume += x[i] * volume[i], on_surface += x[i] * surface[i];
    EXPECT_LT(std::abs(in_volume - Complex(0, 0.5 * 0.75 * 0.75)), 1e-13);
    EXPECT_LT(std::abs(on_surface - 0.75 * 0.25), 1e-13);
  }
}

TEST(Fields, MagneticFieldOfAPlaneWave) {  // E = x e^{-jkz}: curl E = -jk y e^{-jkz}, H = y e^{-jkz} / Z
  const double k = 7, omega = k * 299792458.0;
  const auto h = magnetic_field({0.0, Complex(0, -k), 0.0}, 1.0, omega);
  EXPECT_NEAR(h.y.real(), 1 / 376.730313668, 1e-12);
  EXPECT_NEAR(h.y.imag(), 0, 1e-15);
}

}  // namespace
}  // namespace curlew::fem
