// SPDX-License-Identifier: BSD-3-Clause
// Dipoles whose own field is taken out of the unknown: the near field inside the mesh, alone and beside a
// dielectric sphere, against exact fields.

#include <gtest/gtest.h>

#include <cmath>

#include "../unit/fields/elementary_dipoles.hpp"
#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "fem/open/known_field.hpp"
#include "fem/open/open_problem.hpp"
#include "fem/output/near_field.hpp"
#include "io/config.hpp"
#include "radial_dipole.hpp"

namespace curlew::fem {
namespace {

constexpr double k0 = 0.6, frequency = 0.6 * speed_of_light / (2 * pi);  // [rad/m], [Hz]

struct Case {
  mesh::Mesh mesh;
  mesh::Topology topology;
  Model model;
};

/// A ball of radius 1, air to 3, a layer to 6.7; wavelength 10.5, cells of 0.5 to 0.7 where fields are looked
/// at.
Case ball_in_layer(double epsilon_r) {
  Case c;
  c.mesh = test::make_shells({.radius = {0, 0.25, 0.5, 0.75, 1, 1.5, 2.1, 3, 4, 5.2, 6.7},
                              .surfaces = {{"body_surface", 4}, {"layer_inner", 7}, {"back", 10}},
                              .volumes = {{"body", 4}, {"air", 7}, {"layer", 10}}});
  c.topology = mesh::build_topology(c.mesh);
  c.model.order = 2;
  c.model.materials = {{.regions = {"air", "layer"}}, {.regions = {"body"}, .epsilon_r = epsilon_r}};
  c.model.boundaries = {{.regions = {"back"}, .condition = pec_condition()}};
  c.model.pml = {{.regions = {"layer"},
                  .geometry = pml_geometry(c.mesh, c.topology, {"layer"}, PmlShape::spherical),
                  .reflection = 1e-4}};
  return c;
}

/// Points around the dipole and the sphere, in the air.
std::vector<Vec3<double>> spiral(double radius) {
  std::vector<Vec3<double>> points;
  for (int i = 0; i < 60; ++i) {
    const double z = -0.99 + 0.033 * i, s = std::sqrt(1 - z * z);
    points.push_back({radius * s * std::cos(2.4 * i), radius * s * std::sin(2.4 * i), radius * z});
  }
  return points;
}

struct Solved {
  io::NearFieldValues field;
  double power;
};
Solved solve(const Case& c, Excitation excitation, const std::vector<Vec3<double>>& points) {
  std::vector<Excitation> all{std::move(excitation)};
  choose_formulation(io::Config(), all, {}, c.model, c.mesh, c.topology);
  OpenProblem problem(c.mesh, c.topology, c.model, all, {});
  problem.analyse();
  const auto solution = problem.solve(frequency);
  const NearFieldEvaluator evaluator(problem.space(), c.model, points, nullptr);
  const auto& e = problem.excitations()[0];
  const auto known = e.is_scattered() ? incident_field(e, k0) : nullptr;
  return {evaluator.evaluate(solution.x.data(), frequency, known), solution.source_power[0]};
}

/// Two dipoles off the axes, one with a complex moment; their field by the textbook's components.
const std::vector<green::Dipole> pair{{{0.1, 0.2, 1.3}, {0.0, 0.0, 1.0}},
                                      {{1.2, -0.2, 0.9}, {0.3, {0.0, 0.4}, 0.5}}};

fields::PointField field_of_pair(Vec3<double> at) {
  fields::PointField sum{};
  for (const auto& dipole : pair)
    for (int axis = 0; axis < 3; ++axis) {
      const auto part = fields::electric_dipole(dipole.moment[axis], axis, dipole.position, at, {k0});
      sum.e += part.e, sum.h += part.h;
    }
  return sum;
}

/// Flux through a sphere far away, by a product rule.
double power_of_pair() {
  double flux = 0;
  const int n = 24;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < 2 * n; ++j) {
      const double t = pi * (i + 0.5) / n, p = pi * j / n, r = 200;
      const Vec3<double> u{std::sin(t) * std::cos(p), std::sin(t) * std::sin(p), std::cos(t)};
      const auto e = field_of_pair(r * u).e;
      flux += (std::norm(e.x) + std::norm(e.y) + std::norm(e.z)) / (2 * vacuum_impedance) * r * r *
              std::sin(t) * (pi / n) * (pi / n);
    }
  return flux;
}

double relative_error(const std::vector<Vec3<Complex>>& found, const std::vector<Vec3<double>>& points,
                      Vec3<Complex> fields::PointField::*part) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3<Complex> exact = field_of_pair(points[i]).*part;
    for (int c = 0; c < 3; ++c) error += std::norm(found[i][c] - exact[c]), size += std::norm(exact[c]);
  }
  return std::sqrt(error / size);
}

/// With the pair's own field subtracted the remainder is zero: tests the field that is added, and the power.
TEST(DipoleInMesh, DISABLED_FieldAndPowerOfAPairTakenOutOfTheUnknown) {
  const auto points = spiral(1.4);

  const Solved solved = solve(ball_in_layer(1), {"pair", {}, pair, {}}, points);

  EXPECT_LT(relative_error(solved.field.e, points, &fields::PointField::e), 1e-9);
  EXPECT_LT(relative_error(solved.field.h, points, &fields::PointField::h), 1e-9);
  EXPECT_NEAR(solved.power / power_of_pair(), 1, 5e-3);
}

/// The same pair with the total field unknown: tests sources, elements and layer. Elements do not follow the
/// near field with cells as large as these, but the power, -1/2 Re int E.J*, is that of the smooth part.
TEST(DipoleInMesh, DISABLED_PowerOfAPairWhoseFieldIsUnknown) {
  Excitation excitation{"pair", {}, pair, {}};
  excitation.formulation = Formulation::total;

  const Solved solved = solve(ball_in_layer(1), excitation, spiral(2.6));

  EXPECT_NEAR(solved.power / power_of_pair(), 1, 0.02);
}

TEST(DipoleInMesh, NearFieldBesideADielectricSphere) {
  const double height = 2.7, epsilon_r = 2;
  const green::Dipole dipole{{0, 0, height}, {0.0, 0.0, 1.0}};
  const test::RadialDipole exact(k0, height, epsilon_r);
  const auto points = spiral(2);

  const Solved solved = solve(ball_in_layer(epsilon_r), {"dipole", {}, {dipole}, {}}, points);

  double error = 0, size = 0, scattered = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3<double> u = normalized(points[i]);
    const Complex own = dot(u, dipole.at(points[i], k0).e), more = exact.scattered(2, u.z);
    error += std::norm(dot(u, solved.field.e[i]) - own - more);
    size += std::norm(own + more), scattered += std::norm(more);
  }
  EXPECT_GT(std::sqrt(scattered / size), 0.05);  // the sphere matters
  EXPECT_LT(std::sqrt(error / size), 8e-3);      // elements of order 2: 7 % of what the sphere adds
}

}  // namespace
}  // namespace curlew::fem
