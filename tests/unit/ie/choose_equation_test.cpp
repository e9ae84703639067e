// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/choose_equation.hpp"

#include <gtest/gtest.h>

#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

/// A cube of sides of 1 m, two triangles a face; its lowest resonance is that of k = pi sqrt 2. @param faces
/// of six
Problem cube(double frequency, int faces = 6) {
  std::vector<Vec3<double>> nodes;
  for (int i = 0; i < 8; ++i) nodes.push_back({double(i & 1), double(i >> 1 & 1), double(i >> 2)});
  const std::vector<Triangle> all{{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                  {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
  Problem p;
  p.mesh = make_surface_mesh("cube", nodes, {all.begin(), all.begin() + 2 * faces},
                             std::vector<int>(std::size_t(2 * faces), 0), {"metal"});
  p.surfaces.resize(1);
  p.frequency = frequency;
  return p;
}
const double cube_resonance = std::sqrt(0.5) * speed_of_light;

TEST(ChooseEquation, TakesTheEfieBelowTheFirstResonance) {
  for (const auto& problem : {cube(0.89 * cube_resonance), sphere_problem(2, 2.4, Equation::cfie)}) {
    const auto chosen = choose_equation(problem, false);
    EXPECT_EQ(chosen.equation, Equation::efie) << chosen.reason;
    EXPECT_NE(chosen.reason.find("resonances begin"), std::string::npos) << chosen.reason;
  }
}

TEST(ChooseEquation, TakesTheCfieAboveItWithDualTestsAtEdgesAlone) {
  const auto round = choose_equation(sphere_problem(2, 2.6, Equation::efie), false);
  EXPECT_EQ(round.equation, Equation::cfie) << round.reason;
  EXPECT_EQ(round.testing, MagneticTesting::rwg) << round.reason;
  const auto sharp = choose_equation(cube(0.91 * cube_resonance), false);
  EXPECT_EQ(sharp.equation, Equation::cfie) << sharp.reason;
  EXPECT_EQ(sharp.testing, MagneticTesting::dual) << sharp.reason;
  const auto fast = choose_equation(cube(0.91 * cube_resonance), false, false);
  EXPECT_EQ(fast.testing, MagneticTesting::rwg) << fast.reason;
  EXPECT_NE(fast.reason.find("no fast sums"), std::string::npos) << fast.reason;
}

TEST(ChooseEquation, TakesTheEfieWhereTheCfieCannotBe) {
  const auto open = choose_equation(cube(2 * cube_resonance, 5), false);
  EXPECT_EQ(open.equation, Equation::efie);
  EXPECT_NE(open.reason.find("\"metal\" is open"), std::string::npos) << open.reason;
  EXPECT_EQ(choose_equation(cube(2 * cube_resonance), true).reason, "ports need it");
  const Surface glass{.boundary = Boundary::dielectric, .epsilon_r = 4};
  const auto body = choose_equation(sphere_problem(2, 4, Equation::cfie, glass), false);
  EXPECT_EQ(body.equation, Equation::efie);
  EXPECT_NE(body.reason.find("bodies"), std::string::npos) << body.reason;
}

}  // namespace
}  // namespace curlew::ie
