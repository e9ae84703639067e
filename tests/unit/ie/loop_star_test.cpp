// SPDX-License-Identifier: BSD-3-Clause
// Hierarchical loops and stars: a basis of all currents on every kind of surface, in which iterations stay
// few however fine the mesh and low the frequency.
#include "ie/surface/loop_star.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "ie/operator/solve.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"
#include "ngim/bisection_tree.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

SolveOptions in_loops_and_stars() {
  SolveOptions o;
  o.direct = false;
  o.preconditioner = Preconditioner::loop_star;
  o.krylov = {
      .method = linalg::KrylovMethod::gmres, .tolerance = 1e-5, .max_iterations = 200, .restart = 200};
  return o;
}

TEST(BisectionTree, EndsWithEveryPointAloneAfterItsWidestExtents) {
  const std::vector<Vec3<double>> at = {{0, 0, 0}, {9, 0, 0}, {1, 3, 0}, {8, 1, 0}, {2, 0, 0}};
  std::vector<Index> group = {0, 1, 2, 3, 4};
  std::vector<std::vector<Index>> ones;
  ngim::halve(std::span(group), std::span(at), [&](auto one, auto other) {
    ones.emplace_back(one.begin(), one.end());
    EXPECT_LE(other.size() - one.size(), 1U);
  });

  ASSERT_EQ(ones.size(), 4U) << "one less than points";
  std::sort(ones[0].begin(), ones[0].end());
  EXPECT_EQ(ones[0], (std::vector<Index>{0, 2})) << "the two at small x";
  EXPECT_EQ(ones[1], (std::vector<Index>{0})) << "which differ most in y";
}

/// On handles, open edges and several bodies the columns of B span all currents: an iteration in them meets
/// the direct solution.
TEST(LoopStar, ServesHandlesOpenEdgesAndSeveralBodies) {
  auto bowl = test::icosphere(3, 1);
  bowl.triangles.resize(150);
  auto bodies = test::icosphere(2, 0.5);
  const auto count = Index(bodies.nodes.size());
  for (const auto& n : test::icosphere(2, 0.2).nodes) bodies.nodes.push_back(n + Vec3<double>{1, 0, 0});
  for (auto t : test::icosphere(2, 0.2).triangles) {
    for (Index& n : t) n += count;
    bodies.triangles.push_back(t);
  }
  for (const auto& soup : {test::torus(12, 6), bowl, bodies}) {
    Problem p = sphere_problem(2, 0.3, Equation::efie);
    p.mesh = make_surface_mesh("soup", soup.nodes, soup.triangles, std::vector<int>(soup.triangles.size(), 0),
                               {"all"});
    const System system(p);
    const auto exact = solve_directly(system, mie_wave());
    auto x = right_hand_side(system, mie_wave());

    const auto report = solve(SurfaceEquation(system), in_loops_and_stars(), x, 1);

    EXPECT_LT(report.iterations, 32) << system.num_unknowns();
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
      difference += std::norm(x[i] - exact[i]), size += std::norm(exact[i]);
    EXPECT_LT(std::sqrt(difference / size), 1e-3) << system.num_unknowns();
  }
}

/// Eigenvalues of both signs, without the signs of BasisTransform, would take 43 and 70 iterations here.
TEST(LoopStar, IterationsHardlyGrowWithMeshOrWavelength) {
  for (const double ka : {1e-4, 1.0}) {
    const test::Mie mie(test::conducting_sphere(1), ka);
    long iterations[2];
    for (const int fine : {0, 1}) {
      const System system(sphere_problem(fine == 0 ? 4 : 9, ka, Equation::efie));
      auto x = right_hand_side(system, mie_wave());
      iterations[fine] = solve(SurfaceEquation(system), in_loops_and_stars(), x, 1).iterations;
      EXPECT_LT(compare(system, x, mie).field, fine == 0 ? 0.04 : 0.008) << ka;
    }
    EXPECT_LE(iterations[0], 18) << ka;
    EXPECT_LE(iterations[1], iterations[0] + 3) << ka << ": five times the unknowns";
  }
}

TEST(LoopStar, ServesBodies) {
  const Surface glass{.boundary = Boundary::dielectric, .epsilon_r = 4.0};
  for (const double ka : {1e-4, 0.5}) {
    const System system(sphere_problem(4, ka, Equation::efie, glass));
    const auto exact = solve_directly(system, mie_wave());
    auto x = right_hand_side(system, mie_wave());

    const auto report = solve(SurfaceEquation(system), in_loops_and_stars(), x, 1);

    EXPECT_LT(report.iterations, 40) << ka;
    const test::Mie mie(test::dielectric_sphere(1, 4.0), ka);
    EXPECT_NEAR(compare(system, x, mie).field, compare(system, exact, mie).field, 1e-3) << ka;
  }
}

TEST(LoopStar, RefusesWhatItIsNotScaledFor) {
  const Surface lossy{.boundary = Boundary::impedance, .surface_impedance = 100.0};
  for (const auto& p : {sphere_problem(2, 1, Equation::cfie), sphere_problem(2, 1, Equation::efie, lossy)})
    EXPECT_THROW(check_preconditioner(System(p), Preconditioner::loop_star), InputError);
}

}  // namespace
}  // namespace curlew::ie
