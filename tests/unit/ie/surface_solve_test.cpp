// SPDX-License-Identifier: BSD-3-Clause
// Iterative and fast solutions against the direct one, and the count of iterations at low frequency.
#include "ie/operator/solve.hpp"

#include <gtest/gtest.h>

#include "composite_problems.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/solved/surface_sweep.hpp"
#include "ie/surface/surface_equation.hpp"

namespace curlew::ie {
namespace {

double distance(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(difference / size);
}

SolveOptions iterative(bool accelerated, Preconditioner preconditioner) {
  SolveOptions o;
  o.direct = false, o.accelerated = accelerated, o.preconditioner = preconditioner;
  o.acceleration_tolerance = 1e-5;
  o.krylov.method = linalg::KrylovMethod::gmres;
  o.krylov.tolerance = 1e-5, o.krylov.restart = 200, o.krylov.max_iterations = 400;
  return o;
}

TEST(SurfaceOperator, EqualsTheDenseMatrixInEveryFormulation) {
  const Surface impedance{.boundary = Boundary::impedance, .surface_impedance = {100, 50}};
  const Problem problems[] = {sphere_problem(4, 2, Equation::efie), sphere_problem(4, 2, Equation::cfie),
                              coated_conductor(), sphere_problem(3, 1, Equation::efie, impedance),
                              plate_between_halves(2, 1, 4.0, 2.0)};
  for (const auto& problem : problems) {
    const System system(problem);
    Stages stages;
    const CorrectedOperator fast(SurfaceEquation(system).fill({}, stages), 1e-4);
    const auto matrix = fill_dense(system);
    std::vector<Complex> x, y(std::size_t(system.num_unknowns())), expect(y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
      x.emplace_back(std::sin(3.7 * double(i)), std::cos(1.3 * double(i)));
    for (Index j = 0; j < system.num_unknowns(); ++j)
      for (Index i = 0; i < system.num_unknowns(); ++i) expect[i] += matrix(i, j) * x[j];

    fast.apply(x.data(), y.data());

    EXPECT_LT(distance(y, expect), 1e-4) << system.num_unknowns();
  }
}

/// Every entry has the wavenumber in it: one that stays would show.
TEST(SurfaceSystem, OfAnotherFrequencyHasItsMatrix) {
  for (const auto equation : {Equation::efie, Equation::cfie}) {
    const System low(sphere_problem(3, 1, equation)), expected(sphere_problem(3, 2.5, equation));
    ASSERT_TRUE(low.differs_by_wavelength());
    const System found(low, expected.problem().frequency);
    const auto a = fill_dense(found), b = fill_dense(expected);
    double error = 0, greatest = 0;
    for (Offset j = 0; j < a.cols(); ++j)
      for (Offset i = 0; i < a.rows(); ++i) {
        error = std::max(error, std::abs(a(i, j) - b(i, j)));
        greatest = std::max(greatest, std::abs(b(i, j)));
      }
    EXPECT_LT(error, 1e-14 * greatest);
    EXPECT_EQ(found.scene().regions[0].k, expected.scene().regions[0].k);
  }
}

TEST(SurfaceSystem, OfMediaOrDualTestsIsMadeAtEachFrequency) {
  Problem dual = sphere_problem(3, 1, Equation::cfie);
  dual.testing = MagneticTesting::dual;
  const Surface impedance{.boundary = Boundary::impedance, .surface_impedance = {100, 50}};
  for (const auto& problem : {dual, coated_conductor(), sphere_problem(3, 1, Equation::efie, impedance),
                              plate_between_halves(2, 1, 4.0, 2.0)})
    EXPECT_FALSE(System(problem).differs_by_wavelength());
}

TEST(SurfaceSolve, FastAndDenseIterationsGiveTheDirectCurrents) {
  for (const auto& problem : {sphere_problem(3, 2, Equation::cfie)}) {
    const System system(problem);
    const auto direct = solve_directly(system, mie_wave());
    long iterations[2];
    for (const bool accelerated : {false, true}) {
      auto x = right_hand_side(system, mie_wave());
      const auto report = solve(SurfaceEquation(system), iterative(accelerated, Preconditioner::near), x, 1);
      EXPECT_TRUE(report.converged);
      EXPECT_LT(distance(x, direct), 1e-4);
      iterations[accelerated] = report.iterations;
    }
    EXPECT_LE(std::abs(iterations[0] - iterations[1]), 1);
  }
}

TEST(SurfaceSolve, SecondIncidenceStartsFromTheFirst) {
  const System system(sphere_problem(4, 1, Equation::cfie));
  auto x = right_hand_side(system, mie_wave());
  const auto again = x;
  x.insert(x.end(), again.begin(), again.end());

  const auto report = solve(SurfaceEquation(system), iterative(false, Preconditioner::jacobi), x, 2);

  EXPECT_GT(report.krylov[0].iterations, 5);
  EXPECT_EQ(report.krylov[1].iterations, 0) << "the same wave again is solved already";
}

/// A coarser solver, other rules or moved nodes make other solutions; how an iteration gets there does not.
TEST(KnownColumns, AreTakenFromTheSameMeshRulesAndSolver) {
  const System system(sphere_problem(2, 1, Equation::efie));
  KnownColumns known{system.mesh(), iterative(true, Preconditioner::near)};
  const auto are_taken = [&](const Accuracy& accuracy, const auto& change) {
    SolveOptions by = known.solver;
    change(by);
    return known.are_those_of(system.mesh(), accuracy, by);
  };
  const auto same = [](SolveOptions&) {};
  EXPECT_TRUE(are_taken({}, same));
  EXPECT_TRUE(are_taken({}, [](SolveOptions& o) { o.preconditioner = Preconditioner::jacobi; }));
  EXPECT_FALSE(are_taken(accuracy_for_sums, same));
  EXPECT_FALSE(are_taken({}, [](SolveOptions& o) { o.direct = true; }));
  EXPECT_FALSE(are_taken({}, [](SolveOptions& o) { o.krylov.tolerance *= 10; }));
  EXPECT_FALSE(are_taken({}, [](SolveOptions& o) { o.acceleration_tolerance *= 10; }));
  known.mesh.nodes[0].x += 1e-9;
  EXPECT_FALSE(are_taken({}, same));
}

}  // namespace
}  // namespace curlew::ie
