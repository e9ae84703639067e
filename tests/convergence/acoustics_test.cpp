// SPDX-License-Identifier: BSD-3-Clause
// Sound in boxes, cylinders and ducts against closed forms: modes, driven fields, walls that absorb.

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "fem/acoustics/acoustic_modes.hpp"
#include "fem/acoustics/acoustic_problem.hpp"
#include "fem/lagrange/scalar_fields.hpp"
#include "fem/point_location.hpp"
#include "mesh/box.hpp"
#include "mesh/ordering.hpp"

namespace curlew::fem {
namespace {

constexpr double rho = 1.2, c = 340;

using Boundaries = std::vector<AcousticBoundary>;
using Type = AcousticBoundaryType;

AcousticModel model_of(int order, Boundaries boundaries) {
  AcousticModel model;
  model.order = order;
  model.media = {{.regions = {"volume"}, .density = rho, .speed_of_sound = c}};
  model.boundaries = std::move(boundaries);
  return model;
}

struct Domain {
  mesh::Mesh mesh;
  mesh::Topology topology;
  explicit Domain(mesh::Mesh m) : mesh(std::move(m)), topology(mesh::build_topology(mesh)) {}
};

Domain box(Vec3<double> size, std::array<int, 3> blocks, int geometry_order = 1) {
  return Domain(
      mesh::make_box({.hi = size, .blocks = blocks, .geometry_order = geometry_order, .shuffle_seed = 11}));
}

/// A quarter of a cylinder about z: the planes x = 0 and y = 0 and the sides "x1", "y1" mapped to the circle.
/// The square is scaled along rays; the kink of that map, the diagonal, is a line of the mesh. Edges are
/// straight but for those on the circle, whose middle nodes lie on it.
Domain quarter_cylinder(double radius, double length, std::array<int, 3> blocks) {
  mesh::Mesh mesh = mesh::make_box({.hi = {1, 1, length}, .blocks = blocks, .geometry_order = 2});
  std::vector<char> on_circle(mesh.nodes.size(), 0);
  for (std::size_t i = 0; i < mesh.nodes.size(); ++i) {
    Vec3<double>& p = mesh.nodes[i];
    const double largest = std::max(p.x, p.y), ray = std::hypot(p.x, p.y);
    on_circle[i] = largest == 1;
    if (ray > 0) p.x *= radius * largest / ray, p.y *= radius * largest / ray;
  }
  for (Index cell = 0; cell < mesh.num_cells(); ++cell)
    for (std::size_t e = 0; e < 6; ++e) {
      const Index* n = mesh.cell(cell);
      const auto [i, j] = mesh::cell_edge_vertices[e];
      const auto middle = std::size_t(n[4 + e]);
      if (!on_circle[middle])
        mesh.nodes[middle] = 0.5 * (mesh.nodes[std::size_t(n[i])] + mesh.nodes[std::size_t(n[j])]);
    }
  mesh::shuffle_nodes(mesh, 3);
  return Domain(std::move(mesh));
}

std::vector<AcousticMode> modes_of(const Domain& d, const AcousticModel& model, int count,
                                   double target = 0) {
  const auto space = make_lagrange_space(d.mesh, d.topology, model.order, dirichlet_triangles(model, d.mesh));
  return acoustic_modes(space, model, {.modes = count, .target = target, .direct = {}});
}

AcousticSolution solve(AcousticProblem& problem, double frequency) {
  problem.analyse();
  return problem.solve(frequency);
}

Complex pressure_at(const AcousticProblem& problem, const AcousticSolution& solution, Vec3<double> point) {
  const PointPlace where = locate_point(*problem.space().mesh, point).at(0);
  Complex p = 0;
  ScalarEvaluator(problem.space(), {where.xi}).evaluate(where.cell, solution.pressure.data(), &p, nullptr);
  return p;
}

// ---- modes ----

/// Babuska, Osborn (1991): eigenvalues of a symmetric problem converge with twice the order.
TEST(AcousticModes, BoxConvergesWithTwiceTheOrder) {
  const Vec3<double> size{1.0, 0.8, 0.6};
  const double exact = c / 2 / size.x;  // the lowest, (1, 0, 0)
  for (int order = 1; order <= 3; ++order) {
    const auto error = [&](int n) {
      const auto modes = modes_of(box(size, {n, n, n}), model_of(order, {{.regions = {"walls"}}}), 2);
      return std::abs(modes.at(0).frequency.real() - exact) / exact;
    };
    const double coarse = error(2), fine = error(4);
    EXPECT_GT(std::log2(coarse / fine), 2 * order - 0.3) << order << ": " << coarse << " " << fine;
  }
}

TEST(AcousticModes, BoxHasAllItsModesAndNoOther) {
  const Vec3<double> size{1.0, 0.8, 0.6};
  const auto modes = modes_of(box(size, {5, 4, 3}), model_of(3, {{.regions = {"walls"}}}), 8);
  std::vector<double> exact;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      for (int k = 0; k < 4; ++k)
        if (i + j + k > 0)
          exact.push_back(
              c / 2 * std::sqrt(std::pow(i / size.x, 2) + std::pow(j / size.y, 2) + std::pow(k / size.z, 2)));
  std::sort(exact.begin(), exact.end());
  ASSERT_EQ(modes.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_NEAR(modes[i].frequency.real() / exact[i], 1, 2e-4) << i;
}

/// Curved cells of second order: the mode (2, 1, 0) of a cylinder, j'_21 = 3.054236928.
TEST(AcousticModes, CylinderConvergesWithTwiceTheOrder) {
  const double radius = 0.5, length = 0.1, exact = 3.0542369282271404 * c / (2 * pi * radius);
  for (int order = 1; order <= 2; ++order) {
    const auto error = [&](int n) {
      const auto d = quarter_cylinder(radius, length, {n, n, 1});
      return std::abs(modes_of(d, model_of(order, {{.regions = {"walls"}}}), 1).at(0).frequency.real() -
                      exact) /
             exact;
    };
    const double coarse = error(order == 1 ? 6 : 3), fine = error(order == 1 ? 12 : 6);
    EXPECT_GT(std::log2(coarse / fine), 2 * order - 0.3) << order << ": " << coarse << " " << fine;
    EXPECT_LT(fine, order == 1 ? 1e-2 : 1e-4);
  }
}

/// A duct with a pressure-release end is an open pipe: odd quarter waves. No uniform mode, and sources count
/// as 0.
TEST(AcousticModes, OpenPipeSoundsAtOddQuarters) {
  const auto d = box({0.1, 0.1, 1}, {1, 1, 6});
  const auto modes = modes_of(d,
                              model_of(2, {{.regions = {"x0", "x1", "y0", "y1", "z0"}},
                                           {.regions = {"z1"}, .type = Type::dirichlet, .pressure = 3.0}}),
                              3);
  for (int i = 0; i < 3; ++i) {
    EXPECT_NEAR(modes[std::size_t(i)].frequency.real(), (2 * i + 1) * c / 4, 1.0);
    EXPECT_TRUE(std::isinf(modes[std::size_t(i)].q));
  }
}

/// Loss factor eta: w^2 = w0^2 (1 + j eta), so that Q is 1 / eta for small eta.
TEST(AcousticModes, LossFactorGivesItsQ) {
  auto model = model_of(2, {{.regions = {"walls"}}});
  model.media[0].loss_factor = 0.02;
  const auto mode = modes_of(box({1, 0.7, 0.5}, {4, 3, 2}), model, 1).at(0);
  const Complex expected = c / 2 * std::sqrt(Complex(1, 0.02));
  EXPECT_LT(std::abs(mode.frequency - expected), 1e-3 * c / 2);
  EXPECT_NEAR(mode.q, expected.real() / (2 * expected.imag()), 1e-6 * mode.q);
}

/// A duct of length L closed by Z has tan(kL) = j rho c / Z: k L = n pi + j artanh(rho c / Z).
TEST(AcousticModes, ImpedanceWallDampsAsInTheDuct) {
  const double length = 1;
  for (const Complex z : {Complex(5 * rho * c, 0), Complex(2 * rho * c, 3 * rho * c)}) {
    const auto d = box({0.1, 0.1, length}, {1, 1, 8});
    const auto modes = modes_of(d,
                                model_of(2, {{.regions = {"x0", "x1", "y0", "y1", "z0"}},
                                             {.regions = {"z1"}, .type = Type::impedance, .impedance = z}}),
                                2);
    ASSERT_EQ(modes.size(), 2u);
    const Complex shift = Complex(0, 1) * std::atanh(rho * c / z);
    const int first = shift.real() > 1e-9 ? 0 : 1;  // a resistive wall overdamps n = 0
    for (int i = 0; i < 2; ++i) {
      const Complex expected = (double(first + i) * pi + shift) / length * c / (2 * pi);
      EXPECT_LT(std::abs(modes[std::size_t(i)].frequency - expected), 0.2)
          << modes[std::size_t(i)].frequency << expected;
    }
  }
}

// ---- driven fields ----

/// A piston of velocity v (into the fluid) in a closed cylinder: p = -j rho c v cos k(L - z) / sin kL.
TEST(AcousticDriven, PistonInClosedCylinder) {
  const double length = 1, velocity = 1e-3;
  const auto d = quarter_cylinder(0.2, length, {4, 4, 20});
  AcousticProblem problem(
      d.mesh, d.topology,
      model_of(2, {{.regions = {"z0"}, .type = Type::neumann, .normal_velocity = -velocity},
                   {.regions = {"x0", "x1", "y0", "y1", "z1"}}}),
      {});
  problem.analyse();
  for (const double f : {60.0, 250.0, 425.0}) {
    const auto solution = problem.solve(f);
    const double k = 2 * pi * f / c, scale = rho * c * velocity / std::abs(std::sin(k * length));
    const auto positions = node_positions(problem.space());
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const Complex exact = Complex(0, -1) * rho * c * velocity * std::cos(k * (length - positions[i].z)) /
                            std::sin(k * length);
      EXPECT_LT(std::abs(solution.pressure[i] - exact), 1e-3 * scale) << f;
    }
  }
}

/// A duct of length L with Z at its end reflects R = (Z - rho c) / (Z + rho c); the input impedance and two
/// points of the field both say so.
TEST(AcousticDriven, ImpedanceReflects) {
  const double length = 0.8, f = 500, k = 2 * pi * f / c, velocity = 2e-3;
  const auto d = box({0.1, 0.1, length}, {1, 1, 12});
  for (const Complex z : {Complex(rho * c), Complex(3 * rho * c), Complex(150, -300), Complex(0, 500)}) {
    AcousticProblem problem(
        d.mesh, d.topology,
        model_of(2, {{.regions = {"z0"}, .type = Type::neumann, .normal_velocity = -velocity},
                     {.regions = {"x0", "x1", "y0", "y1"}},
                     {.regions = {"z1"}, .type = Type::impedance, .impedance = z}}),
        {});
    const auto solution = solve(problem, f);
    const double z1 = 0.31, z2 = 0.43;
    const Complex p1 = pressure_at(problem, solution, {0.03, 0.06, z1}),
                  p2 = pressure_at(problem, solution, {0.05, 0.05, z2});
    // p = A (exp(-jk(z - L)) + R exp(jk(z - L)))
    const auto wave = [&](double at, int sign) { return std::exp(Complex(0, sign * k * (at - length))); };
    const Complex r = (p1 * wave(z2, -1) - p2 * wave(z1, -1)) / (p2 * wave(z1, 1) - p1 * wave(z2, 1));
    EXPECT_LT(std::abs(r - (z - rho * c) / (z + rho * c)), 2e-3) << z;
    EXPECT_LT(solution.power.imbalance(), 1e-9) << z;
    const Complex t = Complex(0, std::tan(k * length));
    const Complex input = rho * c * (z + rho * c * t) / (rho * c + z * t);
    const double expected = 0.5 * input.real() * velocity * velocity * 0.01;
    EXPECT_NEAR(solution.power.input, expected, 5e-3 * std::abs(input) * velocity * velocity * 0.01) << z;
  }
}

/// An absorbing end and an impedance rho c are the same thing, a robin condition dp/dn + jk p = 0 too; a wave
/// leaves through each, exp(-jkz), which fixes the sign of the time factor.
TEST(AcousticDriven, AbsorbingEndLetsTheWaveOut) {
  const double length = 0.7, f = 400, k = 2 * pi * f / c;
  const auto d = box({0.1, 0.1, length}, {1, 1, 10});
  const std::vector<AcousticBoundary> ends = {
      {.regions = {"z1"}, .type = Type::absorbing},
      {.regions = {"z1"}, .type = Type::impedance, .impedance = rho * c},
      {.regions = {"z1"}, .type = Type::robin, .alpha = Complex(0, k)}};
  for (const auto& end : ends) {
    AcousticProblem problem(d.mesh, d.topology,
                            model_of(3, {{.regions = {"z0"}, .type = Type::dirichlet, .pressure = 2.0},
                                         {.regions = {"x0", "x1", "y0", "y1"}},
                                         end}),
                            {});
    const auto solution = solve(problem, f);
    const auto positions = node_positions(problem.space());
    for (std::size_t i = 0; i < positions.size(); ++i)
      EXPECT_LT(std::abs(solution.pressure[i] - 2.0 * std::exp(Complex(0, -k * positions[i].z))), 1e-3);
    EXPECT_LT(solution.power.imbalance(), 1e-9);
    EXPECT_NEAR(solution.power.input, 0.5 * 4 / (rho * c) * 0.01, 1e-7);
  }
}

/// Two fluids: reflection and transmission at their interface, with loss in the second.
TEST(AcousticDriven, LayersMatchTransmissionLines) {
  const double f = 300, length = 0.6, omega = 2 * pi * f;
  auto d = box({0.1, 0.1, length}, {1, 1, 12});
  mesh::Region near{"near", {}}, far{"far", {}};
  for (Index cell = 0; cell < d.mesh.num_cells(); ++cell) {
    double z = 0;
    for (int i = 0; i < 4; ++i) z += 0.25 * d.mesh.nodes[std::size_t(d.mesh.cell(cell)[i])].z;
    (z < length / 2 ? near : far).entities.push_back(cell);
  }
  d.mesh.volumes = {near, far};
  AcousticModel model = model_of(2, {{.regions = {"z0"}, .type = Type::neumann, .normal_velocity = -1.0},
                                     {.regions = {"x0", "x1", "y0", "y1", "z1"}}});
  model.media = {{.regions = {"near"}, .density = rho, .speed_of_sound = c},
                 {.regions = {"far"},
                  .density = Complex(2, -0.4),
                  .speed_of_sound = Complex(200, 15),
                  .loss_factor = 0.05}};
  AcousticProblem problem(d.mesh, d.topology, model, {});
  const auto solution = solve(problem, f);
  const auto& m = model.media[1];
  const Complex k2 = omega * std::sqrt(m.density / m.bulk_modulus()),
                z2 = std::sqrt(m.density * m.bulk_modulus());
  const Complex end = Complex(0, -1) * z2 / std::tan(k2 * length / 2.0);  // rigid behind the layer
  const Complex t(0, std::tan(omega / c * length / 2));
  const Complex input = rho * c * (end + rho * c * t) / (rho * c + end * t);
  EXPECT_LT(std::abs(pressure_at(problem, solution, {0.05, 0.05, 0}) - input), 2e-3 * std::abs(input));
  EXPECT_NEAR(solution.power.input, 0.5 * input.real() * 0.01, 2e-3 * std::abs(input) * 0.01);
  EXPECT_NEAR(solution.power.medium, solution.power.input, 1e-9 * solution.power.input);
}

/// The L2-like error of a driven field falls with order p + 1 or better in a smooth problem.
TEST(AcousticDriven, FieldConverges) {
  const double f = 350, k = 2 * pi * f / c;
  for (int order = 1; order <= 3; ++order) {
    const auto error = [&](int n) {
      const auto d = box({0.5, 0.5, 0.7}, {n, n, n});
      AcousticProblem problem(d.mesh, d.topology,
                              model_of(order, {{.regions = {"z0"}, .type = Type::dirichlet, .pressure = 1.0},
                                               {.regions = {"x0", "x1", "y0", "y1"}},
                                               {.regions = {"z1"}, .type = Type::absorbing}}),
                              {});
      const auto solution = solve(problem, f);
      const auto positions = node_positions(problem.space());
      double sum = 0;
      for (std::size_t i = 0; i < positions.size(); ++i)
        sum += std::norm(solution.pressure[i] - std::exp(Complex(0, -k * positions[i].z)));
      return std::sqrt(sum / double(positions.size()));
    };
    const int n = order == 1 ? 6 : (order == 2 ? 3 : 2);
    EXPECT_GT(std::log2(error(n) / error(2 * n)), order + 0.7) << order;
  }
}

}  // namespace
}  // namespace curlew::fem
