// SPDX-License-Identifier: BSD-3-Clause
// Conducting spheres and impedance sheets by the EFIE in its accelerated form.

#include <gtest/gtest.h>

#include "../../../convergence/ball_mesh.hpp"
#include "base/constants.hpp"
#include "ie/mixed_potential/mixed_potential_equation.hpp"
#include "ie/operator/solve.hpp"
#include "ie/results/cross_sections.hpp"
#include "ie/results/near_field.hpp"
#include "ie/sheet/sheet_system.hpp"
#include "ie/volume/volume_system.hpp"
#include "mie.hpp"

namespace curlew::ie {
namespace {

struct SheetSphere {
  MixedPotentialSystem system;
  std::vector<Complex> x;
};
SheetSphere solve_sphere(int divisions, Complex sheet_impedance, double k) {
  const SurfaceMesh surface = extract_surfaces(test::make_ball(divisions, 1), {"sphere"});
  const RwgSpace space(surface);
  const std::vector<Complex> z(std::size_t(surface.num_triangles()), sheet_impedance);
  SheetSphere s{make_sheet_system(surface, space, z, k), {}};
  const auto b = test_field(s.system, [k](Vec3<double> r) {
    return Vec3<Complex>{std::polar(1.0, -k * r.z), 0, 0};
  });
  s.x = b;
  solve(MixedPotentialEquation(s.system), {}, s.x, 1);
  return s;
}

CrossSections sphere_sections(Complex sheet_impedance, double k) {
  const auto [system, x] = solve_sphere(6, sheet_impedance, k);
  const green::ArrivingWave along_z{pi, 0, pi};  // E along x
  const double absorption = 2 * vacuum_impedance * absorbed_power(system, x.data());
  return cross_sections(FarFields(radiating_points(system, 3)), x.data(), std::span(&along_z, 1),
                        std::span(&absorption, 1))[0];
}

TEST(SheetSystem, ConductingSphereHasItsCrossSection) {
  const double k = 1.0;
  const auto q = sphere_sections(0, k);
  EXPECT_NEAR(q.extinction / pi, test::Mie(test::conducting_sphere(1), k).q_extinction(),
              0.05 * q.extinction / pi);
  EXPECT_LT(q.imbalance(), 5e-3);
  EXPECT_EQ(q.absorption, 0);
}

TEST(SheetSystem, ResistiveSheetAbsorbsWhatIsMissing) {
  const auto q = sphere_sections(200, 1.0);
  const test::Mie mie(test::sheet_sphere(1, 200), 1.0);
  EXPECT_NEAR(q.absorption / pi, mie.q_absorption(), 0.04 * mie.q_absorption());
  EXPECT_NEAR(q.extinction / pi, mie.q_extinction(), 0.03 * mie.q_extinction());
  EXPECT_LT(q.imbalance(), 5e-3);
}

/// One solution's estimate against the series, with the spheres' facets inside of it: 0.75 times the error at
/// least.
TEST(SheetSystem, EstimatedErrorIsThatOfTheFarField) {
  for (const double k : {0.3, 1.5})
    for (const Complex zs : {Complex(0, 0), Complex(50, -120)}) {
      const mesh::Mesh ball = test::make_ball(4, 1);
      const SurfaceMesh surface = extract_surfaces(ball, {"sphere"});
      const auto s = solve_sphere(4, zs, k);
      std::vector<Vec3<double>> gaps;
      for (const auto& node : surface.nodes) gaps.push_back(node);  // outwards
      double height = 0;                                            // mean, of the sphere over its facets
      for (Index t = 0; t < surface.num_triangles(); ++t)
        height += (1 - std::abs(dot(surface.centroid(t), normalized(surface.area_vector(t))))) /
                  double(surface.num_triangles());
      for (auto& gap : gaps) gap = (0.75 * height) * gap;
      const std::vector<Complex> z(std::size_t(surface.num_triangles()), zs);
      const auto error = far_field_error(surface, RwgSpace(surface), z, k, gaps, s.x.data());
      const test::Mie mie(zs == 0.0 ? test::conducting_sphere(1) : test::sheet_sphere(1, zs), k);
      const FarFields fields(radiating_points(s.system, 3));
      double greatest = 0;
      for (int i = 0; i <= 12; ++i) {
        const fields::Direction u{i * pi / 12, 0};
        greatest = std::max(greatest, std::abs(fields.pattern(s.x.data(), 1, std::span(&u, 1)).e_theta[0] -
                                               mie.far_field(u.theta, 0).theta));
      }
      const double ratio = (error.elements + error.shape) / greatest;
      EXPECT_GT(ratio, 0.7) << k << zs;
      EXPECT_LT(ratio, 6) << k << zs;
    }
}

/// Fields outside and inside of a partly transparent shell, against the series; with the corners of
/// the facets on the sphere the error falls with the square of the edge.
TEST(SheetSystem, NearFieldsOfAShellConvergeToTheSeries) {
  const double k = 1.0;
  const Complex zs(50, -120);
  const test::Mie mie(test::sheet_sphere(1, zs), k);
  for (const double radius : {0.5, 2.0}) {
    double error[2] = {};
    for (const int fine : {0, 1}) {
      const auto s = solve_sphere(fine == 0 ? 3 : 6, zs, k);
      double difference = 0, whole = 0;
      for (const double theta : {0.4, 1.3, 2.4}) {
        for (const double phi : {0.3, 2.0, 4.4}) {
          const std::vector<Vec3<double>> at{radius * Vec3<double>{std::sin(theta) * std::cos(phi),
                                                                   std::sin(theta) * std::sin(phi),
                                                                   std::cos(theta)}};
          const auto got = radiated_field(s.system, s.x.data(), at);
          const auto expect = mie.near_field(at[0].x, at[0].y, at[0].z);
          const Complex wave = radius < 1 ? std::polar(1.0, -k * at[0].z) : Complex();
          const Vec3<Complex> e = got.e[0] + Vec3<Complex>{wave, 0, 0},
                              h = vacuum_impedance * got.h[0] + Vec3<Complex>{0, wave, 0};
          for (int d = 0; d < 3; ++d) {
            difference += std::norm(e[d] - expect.e[std::size_t(d)]) +
                          std::norm(h[d] - vacuum_impedance * expect.h[std::size_t(d)]);
            whole +=
                std::norm(expect.e[std::size_t(d)]) + std::norm(vacuum_impedance * expect.h[std::size_t(d)]);
          }
        }
      }
      error[fine] = std::sqrt(difference / whole);
    }
    EXPECT_LT(error[1], 0.05) << radius;
    EXPECT_GT(error[0] / error[1], 3) << radius << ": " << error[0] << " " << error[1];
  }
}

/// GMRES with the charge preconditioner reaches the solution of the factored matrix, on an inductive sheet.
TEST(ChargePreconditioner, LeadsToTheSameSolution) {
  const double k = 0.5;
  const SurfaceMesh surface = extract_surfaces(test::make_ball(4, 1), {"sphere"});
  const RwgSpace space(surface);
  const std::vector<Complex> z(std::size_t(surface.num_triangles()), Complex(5, 60));
  const auto system = make_sheet_system(surface, space, z, k);
  const auto b = test_field(system, [k](Vec3<double> r) {
    return Vec3<Complex>{std::polar(1.0, -k * r.z), 0, 0};
  });
  const MixedPotentialEquation equation(system);
  auto direct = b, x = b;
  SolveOptions options;
  solve(equation, options, direct, 1);
  options.direct = false, options.accelerated = true;
  options.preconditioner = Preconditioner::charges;
  options.acceleration_tolerance = 1e-5;
  options.krylov = {.method = linalg::KrylovMethod::gmres, .tolerance = 1e-5, .restart = 200};

  const auto report = solve(equation, options, x, 1);

  EXPECT_TRUE(report.krylov.at(0).converged());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    error += std::norm(x[i] - direct[i]), size += std::norm(direct[i]);
  EXPECT_LT(std::sqrt(error / size), 1e-3);
}

/// Parallel squares of side 1 um, 100 nm apart, n by n cells each, halved.
SurfaceMesh parallel_squares(int count, int n) {
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  for (int f = 0; f < count; ++f) {
    const auto node = [&](int i, int j) { return Index((f * (n + 1) + i) * (n + 1) + j); };
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) nodes.push_back({1e-6 * i / n, 1e-6 * j / n, 1e-7 * f});
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        triangles.push_back({node(i, j), node(i + 1, j), node(i + 1, j + 1)});
        triangles.push_back({node(i, j), node(i + 1, j + 1), node(i, j + 1)});
      }
    }
  }
  std::vector<int> tag(triangles.size(), 0);
  return make_surface_mesh("films", std::move(nodes), std::move(triangles), std::move(tag), {"films"});
}

TEST(Tfqmr, RandomShadowServesTheTwoSidedSpectrumOfFilms) {
  const double k = 2 * pi / 1e-6;
  const SurfaceMesh surface = parallel_squares(4, 6);
  const std::vector<Complex> z(std::size_t(surface.num_triangles()), film_impedance(20e-9, {-46, -1.8}, k));
  const auto system = make_sheet_system(surface, RwgSpace(surface), z, k);
  const auto b = test_field(system, [k](Vec3<double> r) {
    return Vec3<Complex>{std::polar(1.0, -k * r.z), 0, 0};
  });
  linalg::KrylovReport reports[2];
  for (const auto shadow : {linalg::Shadow::residual, linalg::Shadow::random}) {
    auto x = b;
    SolveOptions options;
    options.direct = false, options.accelerated = true, options.acceleration_tolerance = 1e-3;
    options.preconditioner = Preconditioner::charges;
    options.krylov = {.method = linalg::KrylovMethod::tfqmr, .tolerance = 1e-3};
    options.krylov.shadow = shadow;
    reports[shadow == linalg::Shadow::random] =
        solve(MixedPotentialEquation(system, integration_for(1e-2)), options, x, 1).krylov[0];
  }

  EXPECT_TRUE(reports[0].converged() && reports[1].converged());
  EXPECT_LT(reports[1].iterations, 0.9 * reports[0].iterations);
  const auto at_half = [&](int i) { return reports[i].residuals[reports[0].residuals.size() / 2]; };
  EXPECT_GT(at_half(0), 0.5) << "half of the way nothing is gained";
  EXPECT_LT(at_half(1), 0.2 * at_half(0));
}

TEST(SheetSystem, FilmOfGoldIsInductive) {
  const Complex z = film_impedance(20e-9, {-46, -1.8}, 2 * pi / 1e-6);
  EXPECT_NEAR(z.imag(), vacuum_impedance / (2 * pi / 1e-6 * 20e-9 * 47), 0.1);
  EXPECT_GT(z.real(), 0);
}

}  // namespace
}  // namespace curlew::ie
