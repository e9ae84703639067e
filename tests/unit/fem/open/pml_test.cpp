// SPDX-License-Identifier: BSD-3-Clause
// Perfectly matched layers at the end of a guide: their reflection and their constants.
#include "fem/open/pml.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/driven/fast_sweep.hpp"
#include "mesh/box.hpp"

namespace curlew::fem {
namespace {

constexpr double a = 22.86e-3, b = 10.16e-3;  // WR-90

/// A guide along z whose last part is the volume "layer".
struct Guide {
  mesh::Mesh mesh;
  mesh::Topology topology;
};

Guide make_guide(double length, double layer_from, std::array<int, 3> blocks) {
  Guide guide;
  guide.mesh = mesh::make_box({.hi = {a, b, length}, .blocks = blocks, .shuffle_seed = 3});
  mesh::Region air{"air", {}}, layer{"layer", {}};
  for (Index c = 0; c < guide.mesh.num_cells(); ++c) {
    double z = 0;
    for (int i = 0; i < 4; ++i) z += 0.25 * guide.mesh.nodes[std::size_t(guide.mesh.cell(c)[i])].z;
    (z > layer_from ? layer : air).entities.push_back(c);
  }
  guide.mesh.volumes = {air, layer};
  guide.topology = mesh::build_topology(guide.mesh);
  return guide;
}

Model guide_model(const Guide& guide, int order, double reflection) {
  Model model;
  model.order = order;
  model.materials = {{.regions = {"air", "layer"}}};
  model.boundaries = {{.regions = {"x0", "x1", "y0", "y1", "z1"}, .condition = pec_condition()}};
  model.ports = {{.region = "z0", .excite = true}};
  model.pml = {{.regions = {"layer"},
                .geometry = pml_geometry(guide.mesh, guide.topology, {"layer"}, PmlShape::cartesian),
                .reflection = reflection}};
  return model;
}

double reflection_db(const Guide& guide, const Model& model, double frequency) {
  DrivenProblem problem(guide.mesh, guide.topology, model, {});
  problem.analyse();
  return 20 * std::log10(std::abs(problem.solve(frequency).scattering.s(0, 0)));
}

TEST(Pml, GuideReflectsLessThanMinus60DecibelAtOrder2) {
  const Guide guide = make_guide(30e-3, 15e-3, {6, 3, 12});
  const Model model = guide_model(guide, 2, 1e-6);
  for (const double f : {8.2e9, 10e9, 12.4e9}) EXPECT_LT(reflection_db(guide, model, f), -60) << f;
}

/// With a weak profile only the layer's own reflection remains: exp(-2 kz b), b = -ln R / 2 k0.
TEST(Pml, WeakProfileReflectsWhatItsFormulaSays) {
  const Guide guide = make_guide(24e-3, 12e-3, {6, 3, 10});
  const double f = 10e9, k0 = 2 * pi * f / speed_of_light;
  const double kz = std::sqrt(k0 * k0 - std::pow(pi / a, 2));
  const double expected = 20 * std::log10(std::pow(0.05, kz / k0));
  EXPECT_NEAR(reflection_db(guide, guide_model(guide, 2, 0.05), f), expected, 0.1);
}

TEST(Pml, GeometryIsThatOfTheMesh) {
  const Guide guide = make_guide(30e-3, 20e-3, {2, 2, 6});
  const auto g = pml_geometry(guide.mesh, guide.topology, {"layer"}, PmlShape::cartesian);
  EXPECT_NEAR(g.thickness_hi.z, 10e-3, 1e-12);
  EXPECT_EQ(g.thickness_lo.z, 0);
  EXPECT_EQ(g.thickness_hi.x, 0);
  EXPECT_THROW(pml_geometry(guide.mesh, guide.topology, {"air", "layer"}, PmlShape::cartesian), InputError);
  EXPECT_THROW(pml_geometry(guide.mesh, guide.topology, {"layer"}, PmlShape::spherical), InputError);
}

/// A profile fixed at one frequency keeps the system polynomial in frequency.
TEST(Pml, FastSweepAgreesWithFullSolutions) {
  const Guide guide = make_guide(24e-3, 15e-3, {4, 2, 8});
  Model model = guide_model(guide, 2, 1e-3);
  model.pml[0].reference_frequency = 10e9;
  DrivenProblem problem(guide.mesh, guide.topology, model, {});
  problem.analyse();
  std::vector<double> frequencies;
  for (int i = 0; i <= 40; ++i) frequencies.push_back(8.2e9 + 1e8 * i);
  const auto fast =
      fast_sweep(problem, frequencies, {.tolerance = 1e-5, .max_solutions = 15, .on_solution = {}});
  for (std::size_t i = 0; i < frequencies.size(); i += 8) {
    const auto full = problem.solve(frequencies[i]);
    EXPECT_LT(std::abs(full.scattering.s(0, 0) - fast.solutions[i].scattering.s(0, 0)), 1e-5);
  }
}

}  // namespace
}  // namespace curlew::fem
