// SPDX-License-Identifier: BSD-3-Clause
// Conducting spheres and impedance sheets by the EFIE in its accelerated form.

#include <gtest/gtest.h>

#include "../../../convergence/ball_mesh.hpp"
#include "base/constants.hpp"
#include "ie/accelerated/iterative_solve.hpp"
#include "ie/accelerated/radiation.hpp"
#include "ie/accelerated/sheet_system.hpp"
#include "ie/volume/volume_system.hpp"
#include "mie.hpp"

namespace curlew::ie {
namespace {

ScatteringSections sphere_sections(Complex sheet_impedance, double k) {
  const SurfaceMesh surface = extract_surfaces(test::make_ball(6, 1), {"sphere"});
  const RwgSpace space(surface);
  const std::vector<Complex> z(std::size_t(surface.num_triangles()), sheet_impedance);
  const auto system = make_sheet_system(surface, space, z, k);
  const auto b = test_field(system, [k](Vec3<double> r) {
    return Vec3<Complex>{std::polar(1.0, -k * r.z), 0, 0};
  });
  std::vector<Complex> x(b.size());
  SolveOptions options;
  options.method = Method::dense;
  solve_system(system, options, b.data(), x.data(), 1);
  return scattering_sections(radiating_points(system, x.data()), k, -system.vector_factor, {0, 0, 1},
                             {1, 0, 0}, 2 * vacuum_impedance * absorbed_power(system, x.data()));
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
  EXPECT_GT(q.absorption, 0.2 * q.extinction);
  EXPECT_LT(q.imbalance(), 5e-3);
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
  std::vector<Complex> direct(b.size()), x(b.size());
  SolveOptions options;
  options.method = Method::dense;
  solve_system(system, options, b.data(), direct.data(), 1);
  options.method = Method::accelerated;
  options.preconditioner = Preconditioner::charges;
  options.acceleration.tolerance = 1e-5;
  options.krylov = {.method = linalg::KrylovMethod::gmres, .tolerance = 1e-5, .restart = 200};

  const auto report = solve_system(system, options, b.data(), x.data(), 1);

  EXPECT_TRUE(report.krylov.at(0).converged());
  double error = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    error += std::norm(x[i] - direct[i]), size += std::norm(direct[i]);
  EXPECT_LT(std::sqrt(error / size), 1e-3);
}

TEST(SheetSystem, FilmOfGoldIsInductive) {
  const Complex z = film_impedance(20e-9, {-46, -1.8}, 2 * pi / 1e-6);
  EXPECT_NEAR(z.imag(), vacuum_impedance / (2 * pi / 1e-6 * 20e-9 * 47), 0.1);
  EXPECT_GT(z.real(), 0);
}

}  // namespace
}  // namespace curlew::ie
