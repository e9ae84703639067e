// SPDX-License-Identifier: BSD-3-Clause
// The truncation against the exact series of spheres, and how it converges.

#include <gtest/gtest.h>

#include <cstdio>

#include "ball_mesh.hpp"
#include "mie.hpp"
#include "truncation/truncated_problem.hpp"

namespace curlew::truncation {
namespace {

constexpr double light_frequency = speed_of_light;  // a wavelength of 1 m

/// The mesh of a sphere of radius a, S' on it, and S at a distance d, for a wavelength of 1 m.
struct SphereCase {
  double ka = 1;
  double distance = 0.1;  ///< wavelengths
  int shell = 3;          ///< of the surface: 8 shell^2 triangles
  int layers = 1;         ///< cells between S' and S
  Complex epsilon_r = 0;  ///< 0: PEC
  int degree = 8;         ///< of the rule on S'; 0: automatic
};

mesh::Mesh sphere_mesh(const SphereCase& c) {
  const double a = c.ka / (2 * pi);
  const bool metal = c.epsilon_r == 0.0;
  test::Shells shells;
  shells.first = metal ? c.shell : 0;
  for (int m = shells.first; m <= c.shell; ++m) shells.radius.push_back(a * m / c.shell);
  for (int m = 1; m <= c.layers; ++m) shells.radius.push_back(a + c.distance * m / c.layers);
  shells.surfaces = {{"body", c.shell}, {"S", c.shell + c.layers}};
  if (!metal) shells.volumes.push_back({"inside", c.shell});
  shells.volumes.push_back({"air", c.shell + c.layers});
  return test::make_shells(shells);
}

struct Solved {
  double error_db = 0;  ///< RMS over directions of both planes, of the total cross-section
  double certificate = 0;
  IterationReport iteration;
  Index unknowns = 0;
};

Solved scatter(const SphereCase& c, Acceleration acceleration = Acceleration::gmres,
               double tolerance = 1e-4) {
  const mesh::Mesh mesh = sphere_mesh(c);
  const mesh::Topology topology = mesh::build_topology(mesh);
  fem::Model model;
  model.order = 2;
  model.materials.push_back({.regions = {"air"}});
  if (c.epsilon_r == 0.0)
    model.boundaries.push_back({.regions = {"body"}, .type = fem::BoundaryType::pec});
  else
    model.materials.push_back({.regions = {"inside"}, .epsilon_r = c.epsilon_r});
  TruncationOptions options;
  options.names.inner = "body";
  options.source_degree = c.degree;
  options.iteration.acceleration = acceleration;
  options.iteration.tolerance = tolerance;
  TruncatedProblem problem(mesh, topology, model, options);
  problem.system().analyse();
  const auto outside = problem.exterior(light_frequency);
  // Arrives from -z with E along x, as the series has it.
  const Excitation wave{green::PlaneWave{{0, 0, 1}, {1.0, 0.0, 0.0}, outside.k}, -1};
  const auto result = problem.solve(light_frequency, {wave});

  std::vector<fields::Direction> directions;
  for (const double phi : {0.0, pi / 2})
    for (int i = 0; i <= 36; ++i) directions.push_back({pi * i / 36, phi});
  const auto far = fields::far_field(problem.inner_points(), result.inner, directions, outside);
  const auto other = fields::far_field(problem.outer_points(), result.outer, directions, outside);
  const double a = c.ka / (2 * pi);
  const test::Mie mie(
      c.epsilon_r == 0.0 ? test::conducting_sphere(a) : test::dielectric_sphere(a, c.epsilon_r), outside.k);
  Solved solved;
  double sum = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    const double rcs =
        fields::radar_cross_section(far.e_theta[i], 1) + fields::radar_cross_section(far.e_phi[i], 1);
    const double difference =
        test::dbsm(rcs) - test::dbsm(mie.rcs(directions[i].theta, directions[i].phi).total());
    sum += difference * difference;
  }
  solved.error_db = std::sqrt(sum / double(directions.size()));
  solved.certificate = mismatch(far, other);
  solved.iteration = result.iteration;
  solved.unknowns = problem.system().space().num_dofs();
  std::printf(
      "ka %.0f eps %.1f d %.2f shell %d layers %d: %d unknowns, rms %.4f dB, certificate %.1e, %d "
      "iterations, "
      "residual %.1e, solver %.1e\n",
      c.ka, c.epsilon_r.real(), c.distance, c.shell, c.layers, solved.unknowns, solved.error_db,
      solved.certificate, solved.iteration.iterations, solved.iteration.true_residual,
      result.solver_residual);
  return solved;
}

TEST(Truncation, ConductingSphereAgreesWithItsSeries) {
  for (const SphereCase& c : {SphereCase{1, 0.1, 4, 2}, SphereCase{2, 0.1, 6, 2}, SphereCase{4, 0.1, 8, 2}}) {
    const Solved solved = scatter(c);
    EXPECT_TRUE(solved.iteration.converged);
    EXPECT_LT(solved.error_db, 0.1);
    EXPECT_LT(solved.certificate, 0.015);
  }
}

TEST(Truncation, DielectricSphereAgreesWithItsSeries) {
  const Solved solved = scatter({1, 0.1, 6, 2, 4.0});
  EXPECT_TRUE(solved.iteration.converged);
  EXPECT_LT(solved.error_db, 0.1);
}

TEST(Truncation, GmresSavesIterationsAndFindsTheSameAnswer) {
  const SphereCase c{2, 0.05, 5, 1};
  const Solved plain = scatter(c, Acceleration::none, 1e-8), fast = scatter(c, Acceleration::gmres, 1e-8);
  EXPECT_LE(fast.iteration.iterations, 0.6 * plain.iteration.iterations);
  EXPECT_LT(plain.iteration.true_residual, 1e-8);
  EXPECT_LT(fast.iteration.true_residual, 1.5e-8);
  EXPECT_NEAR(plain.error_db, fast.error_db, 1e-6);
}

TEST(Truncation, FinerMeshesConverge) {
  const Solved coarse = scatter({1, 0.1, 3, 2, 4.0}), fine = scatter({1, 0.1, 5, 2, 4.0});
  EXPECT_LT(fine.certificate, 0.5 * coarse.certificate);
  EXPECT_LT(fine.error_db, 0.5 * coarse.error_db);
}

}  // namespace
}  // namespace curlew::truncation
