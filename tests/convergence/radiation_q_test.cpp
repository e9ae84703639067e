// SPDX-License-Identifier: BSD-3-Clause
// Modes that radiate: complex frequencies with PML and absorbing boundaries against equations in closed form.
// A layer is a fixed complex map of the coordinates, so the problem stays linear in the square of the
// frequency; an absorbing boundary is followed at the complex frequency itself.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "ball_mesh.hpp"
#include "base/constants.hpp"
#include "fem/eigen/cavity.hpp"
#include "fem/error/mode_residual.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

/// The mode nearest to a complex frequency; modes of the layer itself are among those found.
CavityMode nearest_mode(const NedelecSpace& space, const Model& model, Complex exact, int count) {
  const auto modes =
      cavity_modes(space, model, {.modes = count, .target = 0.95 * exact.real(), .direct = {}});
  return *std::ranges::min_element(modes, {},
                                   [&](const CavityMode& mode) { return std::abs(mode.frequency - exact); });
}
Complex nearest_mode(const mesh::Mesh& mesh, const mesh::Topology& topology, const Model& model,
                     Complex exact, int count) {
  const auto space = make_space(mesh, topology, model.order, pec_triangles(model, mesh));
  return nearest_mode(space, model, exact, count).frequency;
}

double q_of(Complex frequency) {
  return frequency.real() / (2 * frequency.imag());
}

// ---- a slab on metal ----

constexpr double slab = 1.0, step = 0.125, index = 4;

/// A thin column, electric walls along y and magnetic ones along x: 8 cells of slab, 4 of air, 12 beyond.
struct Column {
  mesh::Mesh mesh;
  mesh::Topology topology;
  Model model;

  explicit Column(int cells_beyond) {
    const double length = slab + (4 + cells_beyond) * step;
    mesh =
        mesh::make_box({.hi = {step, step, length}, .blocks = {1, 1, 12 + cells_beyond}, .shuffle_seed = 5});
    mesh::Region body{"slab", {}}, air{"air", {}}, layer{"layer", {}};
    for (Index c = 0; c < mesh.num_cells(); ++c) {
      double z = 0;
      for (int i = 0; i < 4; ++i) z += 0.25 * mesh.nodes[std::size_t(mesh.cell(c)[i])].z;
      (z < slab ? body : z < slab + 4 * step ? air : layer).entities.push_back(c);
    }
    mesh.volumes = {body, air};
    if (cells_beyond > 0) mesh.volumes.push_back(layer);
    topology = mesh::build_topology(mesh);
    model.order = 2;
    model.materials = {{.regions = {"slab"}, .epsilon_r = index * index}, {.regions = {"air"}}};
    model.boundaries = {{.regions = {"z0", "y0", "y1"}, .condition = pec_condition()},
                        {.regions = {"x0", "x1"}, .condition = pmc_condition()}};
  }
};

/// Outgoing waves beyond: tan(n k L) = j n, n k L = pi (m + 1/2) + j atanh(1/n).
Complex slab_mode(int m) {
  return Complex(pi * (m + 0.5), std::atanh(1 / index)) / (index * slab) * speed_of_light / (2 * pi);
}

TEST(RadiationQ, SlabThatEndsInALayer) {
  Column column(12);
  column.model.materials[1].regions.push_back("layer");
  column.model.boundaries[0].regions.push_back("z1");
  column.model.pml = {{.regions = {"layer"},
                       .geometry = pml_geometry(column.mesh, column.topology, {"layer"}, PmlShape::cartesian),
                       .reflection = 1e-5}};
  const Complex found = nearest_mode(column.mesh, column.topology, column.model, slab_mode(1), 6);
  EXPECT_NEAR(found.real() / slab_mode(1).real(), 1, 1e-3);
  EXPECT_NEAR(q_of(found) / q_of(slab_mode(1)), 1, 5e-3);
}

TEST(RadiationQ, SlabThatEndsInAnAbsorbingBoundary) {
  Column column(0);
  column.model.boundaries.push_back({.regions = {"z1"}, .condition = absorbing_condition()});
  const Complex found = nearest_mode(column.mesh, column.topology, column.model, slab_mode(1), 2);
  EXPECT_NEAR(found.real() / slab_mode(1).real(), 1, 1e-3);
  EXPECT_NEAR(q_of(found) / q_of(slab_mode(1)), 1, 5e-3);
}

// ---- a dielectric sphere ----

/// Where the denominator of the magnetic dipole's Mie coefficient vanishes,
/// psi_1(mx) zeta_1'(x) = m zeta_1(x) psi_1'(mx), zeta_1 = exp(-jx) (1 - j/x). Source: Bohren and Huffman
/// (1983), section 4.3, conjugated.
Complex magnetic_dipole_pole(double m, Complex x) {
  const Complex j(0, 1);
  const auto f = [&](Complex z) {
    const Complex u = m * z;
    const Complex psi = std::sin(u) / u - std::cos(u);
    const Complex d_psi = std::cos(u) / u - std::sin(u) / (u * u) + std::sin(u);
    const Complex wave = std::exp(-j * z);
    const Complex zeta = wave * (1.0 - j / z), d_zeta = wave * (-j * (1.0 - j / z) + j / (z * z));
    return psi * d_zeta - m * zeta * d_psi;
  };
  Complex before = 1.01 * x;
  for (int i = 0; i < 60 && std::abs(x - before) > 1e-13; ++i) {  // secants
    const Complex fx = f(x), fb = f(before);
    const Complex next = x - fx * (x - before) / (fx - fb);
    before = x, x = next;
  }
  return x;
}

/// Of radius 1 m in a spherical layer.
struct Sphere {
  mesh::Mesh mesh;
  mesh::Topology topology;
  Model model;

  Sphere(std::vector<double> radii, double refraction) {
    const int body = int(std::ranges::find(radii, 1.0) - radii.begin()), back = int(radii.size()) - 1;
    mesh = test::make_shells({.radius = std::move(radii),
                              .surfaces = {{"body_surface", body}, {"layer_inner", body + 1}, {"back", back}},
                              .volumes = {{"body", body}, {"air", body + 1}, {"layer", back}}});
    topology = mesh::build_topology(mesh);
    model.order = 2;
    model.materials = {{.regions = {"body"}, .epsilon_r = refraction * refraction},
                       {.regions = {"air", "layer"}}};
    model.boundaries = {{.regions = {"back"}, .condition = pec_condition()}};
    model.pml = {{.regions = {"layer"},
                  .geometry = pml_geometry(mesh, topology, {"layer"}, PmlShape::spherical),
                  .reflection = 1e-4}};
  }
};

TEST(RadiationQ, DISABLED_DielectricSphereInALayer) {
  const double refraction = 4;
  const Complex pole = magnetic_dipole_pole(refraction, Complex(0.74, 0.02));
  const Complex exact = pole * speed_of_light / (2 * pi);
  const Sphere sphere({0, 0.25, 0.5, 0.75, 1, 1.5, 2.3, 3.1, 3.9}, refraction);
  const Complex found = nearest_mode(sphere.mesh, sphere.topology, sphere.model, exact, 5);
  EXPECT_GT(pole.imag(), 0);
  EXPECT_NEAR(found.real() / exact.real(), 1, 2e-3);
  EXPECT_NEAR(q_of(found) / q_of(exact), 1, 1e-2) << q_of(exact);
}

/// Bars from residuals contain the errors of f and Q, of the elements and of the curved surface between
/// media.
TEST(RadiationQ, ResidualsBoundAModeThatRadiates) {
  const double refraction = std::sqrt(10.0);
  const Complex exact = magnetic_dipole_pole(refraction, Complex(0.95, 0.05)) * speed_of_light / (2 * pi);
  const Sphere sphere({0, 0.4, 0.7, 1, 1.5, 2.3, 3.1}, refraction);
  const auto space =
      make_space(sphere.mesh, sphere.topology, sphere.model.order, pec_triangles(sphere.model, sphere.mesh));
  const auto mode = nearest_mode(space, sphere.model, exact, 3);

  const auto bars = mode_residual_errors(space, sphere.model, {&mode, 1}, true);

  const double error = std::abs(mode.frequency.real() - exact.real()),
               loss = std::abs(1 / mode.q - 1 / q_of(exact));
  EXPECT_TRUE(have_residual_errors(sphere.model));
  EXPECT_GT(bars[0].elements, 0);
  EXPECT_GT(bars[0].whole, bars[0].elements);
  EXPECT_GT(bars[0].whole, error);
  EXPECT_LT(bars[0].whole, 10 * error);
  EXPECT_GT(bars[0].loss, loss);
  EXPECT_LT(bars[0].loss, 0.1 / q_of(exact));
}

}  // namespace
}  // namespace curlew::fem
