// SPDX-License-Identifier: BSD-3-Clause
// GMRES with the multilevel preconditioner on devices with ports: at most 40 iterations of each right-hand
// side to 1e-8, one right-hand side for every reported mode, and the S of the direct solver. A modal term of
// the wrong sign gives another S in the product, and more iterations on the coarse level.

#include <gtest/gtest.h>

#include <cmath>

#include "fem/driven/driven_problem.hpp"
#include "filled_guide.hpp"

namespace curlew::fem {
namespace {

constexpr double frequency = 10e9;

/// With a lossy dielectric.
struct Device : FilledGuide {
  using FilledGuide::FilledGuide;

  DrivenSolution solve(int order, const DrivenOptions& options) const {
    DrivenProblem problem(mesh, topology, guide_model(order, Complex(4, -0.01)), options);
    problem.analyse();
    return problem.solve(frequency);
  }

  void expect_same_as_direct(int order) const {
    DrivenOptions iterative;
    iterative.iterative = linalg::IterativeOptions();
    iterative.iterative->krylov.method = linalg::KrylovMethod::gmres;
    iterative.iterative->krylov.tolerance = 1e-8;
    iterative.iterative->krylov.restart = 100;
    iterative.iterative->multilevel.smoothing_steps = 2;  // the default of [solver]

    const DrivenSolution direct = solve(order, {}), found = solve(order, iterative);

    EXPECT_LT((found.scattering.s - direct.scattering.s).cwiseAbs().maxCoeff(), 1e-7);
    EXPECT_LE(found.solver.history.size(), 40U);
    EXPECT_LE(found.solver.iterations, 80);  // two ports, one mode each, and none for absorbed modes
    EXPECT_LE(found.solver.residual, 1e-8);
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < direct.x.size(); ++i) {
      difference += std::norm(found.x[i] - direct.x[i]);
      size += std::norm(direct.x[i]);
    }
    EXPECT_LT(std::sqrt(difference / size), 1e-6);
  }
};

TEST(IterationsWithPorts, DielectricBlockInAGuide) {
  Device({8, 4, 8}, is_block).expect_same_as_direct(2);
  Device({4, 2, 4}, is_block).expect_same_as_direct(3);
}

TEST(IterationsWithPorts, HybridModes) {
  Device({8, 4, 8}, is_floor).expect_same_as_direct(2);
}

/// Sweeps do not converge where one layer of cells is many times as tall as wide.
TEST(IterationsWithPorts, TallCells) {
  Device({24, 1, 20}, is_block).expect_same_as_direct(2);
  Device({12, 1, 10}, is_block).expect_same_as_direct(3);
}

}  // namespace
}  // namespace curlew::fem
