// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/choose_equation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

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
/// Surface of the cells of a grid, in x and y, that are metal, from z = 0 to a length.
Problem beam(const std::vector<double>& x, const std::vector<double>& y, const std::vector<double>& z,
             const std::function<bool(int, int)>& is_metal) {
  const int nx = int(x.size()), ny = int(y.size()), nz = int(z.size());
  std::vector<Vec3<double>> nodes;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) nodes.push_back({x[std::size_t(i)], y[std::size_t(j)], z[std::size_t(k)]});
  const auto has = [&](int i, int j, int k) {
    return i >= 0 && j >= 0 && k >= 0 && i < nx - 1 && j < ny - 1 && k < nz - 1 && is_metal(i, j);
  };
  std::vector<Triangle> triangles;
  const auto add = [&](int i, int j, int k, std::array<int, 3> a, std::array<int, 3> b) {
    const auto node = [&](int s, int t) {
      return Index((k + s * a[2] + t * b[2]) * ny * nx + (j + s * a[1] + t * b[1]) * nx + i + s * a[0] +
                   t * b[0]);
    };
    triangles.push_back({node(0, 0), node(1, 0), node(1, 1)});
    triangles.push_back({node(0, 0), node(1, 1), node(0, 1)});
  };
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        if (has(i, j, k) != has(i - 1, j, k)) add(i, j, k, {0, 1, 0}, {0, 0, 1});
        if (has(i, j, k) != has(i, j - 1, k)) add(i, j, k, {1, 0, 0}, {0, 0, 1});
        if (has(i, j, k) != has(i, j, k - 1)) add(i, j, k, {1, 0, 0}, {0, 1, 0});
      }
  std::vector<Index> number(nodes.size(), -1);  // unused nodes are removed
  std::vector<Vec3<double>> used;
  for (auto& t : triangles)
    for (auto& n : t) {
      auto& own = number[std::size_t(n)];
      if (own < 0) own = Index(used.size()), used.push_back(nodes[std::size_t(n)]);
      n = own;
    }
  Problem p;
  const std::vector<int> tag(triangles.size(), 0);
  p.mesh = make_surface_mesh("beam", used, triangles, tag, {"metal"});
  p.surfaces.resize(1);
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

/// An I-beam with walls of 5 cm, 1 m wide and high, 4 m long. The lowest mode of its inside is that of a
/// network of strips, the web of height h and four halves of flanges of width w/2, over the length L: tan(k
/// h/2) tan(k w/2) = 1/2 by the balance of currents where they meet, k^2 = kc^2 + (pi/L)^2; thin walls leave
/// some percent. The box around it would resonate four times as high.
TEST(ChooseEquation, TakesTheCfieForBeamsBelowTheirFirstResonance) {
  const double t = 0.05, length = 4;
  Problem p = beam({-0.5, -t / 2, t / 2, 0.5}, {0, t, 1 - t, 1}, {0, 1, 2, 3, length},
                   [](int i, int j) { return i == 1 || j != 1; });
  const double h = 1 - t, w = 1;
  double kc = 0.1;
  while (std::tan(kc * h / 2) * std::tan(kc * w / 2) < 0.5) kc += 1e-4;
  const double k = std::hypot(kc, pi / length);
  p.frequency = k * speed_of_light / (2 * pi);

  const auto at = choose_equation(p, false);
  EXPECT_EQ(at.equation, Equation::cfie) << at.reason;
  p.frequency *= 0.7;
  const auto below = choose_equation(p, false);
  EXPECT_EQ(below.equation, Equation::efie) << below.reason;
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
