// SPDX-License-Identifier: BSD-3-Clause
// Every refusal of a problem, by its message.
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "message_of.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

std::string complaint(Problem p) {
  return test::message_of<InputError>([&] { make_scene(p); });
}
#define EXPECT_COMPLAINT(problem, words) \
  EXPECT_NE(complaint(problem).find(words), std::string::npos) << complaint(problem)

Problem open_problem(Equation equation, Surface surface = {}) {
  Problem p = sphere_problem(2, 1, equation, surface);
  auto triangles = p.mesh.triangles;
  triangles.pop_back();
  p.mesh =
      make_surface_mesh("bowl", p.mesh.nodes, triangles, std::vector<int>(triangles.size(), 0), {"bowl"});
  return p;
}

TEST(Scene, OpenSurfacesTakeTheEfieOnly) {
  EXPECT_EQ(complaint(open_problem(Equation::efie)), "nothing");
  EXPECT_COMPLAINT(open_problem(Equation::mfie), "is open: MFIE and CFIE need closed surfaces");
  EXPECT_COMPLAINT(open_problem(Equation::cfie), "is open: MFIE and CFIE need closed surfaces");
  EXPECT_COMPLAINT(open_problem(Equation::efie, {.boundary = Boundary::dielectric, .epsilon_r = 2.0}),
                   "needs a closed surface");
}

TEST(Scene, NumbersOutOfRange) {
  Problem p = sphere_problem(2, 1, Equation::cfie);
  p.alpha = 1.5;
  EXPECT_COMPLAINT(p, "alpha");
  p = sphere_problem(2, -1, Equation::cfie);
  EXPECT_COMPLAINT(p, "frequency");
  EXPECT_COMPLAINT(
      sphere_problem(2, 1, Equation::efie, {.boundary = Boundary::dielectric, .epsilon_r = {2, 1}}),
      "has gain");
  EXPECT_COMPLAINT(
      sphere_problem(2, 1, Equation::efie, {.boundary = Boundary::impedance, .surface_impedance = -1.0}),
      "surface impedance");
}

TEST(Scene, NestedBodies) {
  Problem p = sphere_problem(2, 1, Equation::efie);
  p.mesh = sphere_mesh(2, {1.0, 0.5});
  p.surfaces = {{}, {}};
  EXPECT_COMPLAINT(p, "inside the conductor");
  Problem one = p;
  one.mesh = make_surface_mesh("m", p.mesh.nodes, p.mesh.triangles, std::vector<int>(160, 0), {"shell"});
  one.surfaces = {{}};
  EXPECT_COMPLAINT(one, "another part at (");

  p.surfaces[0] = {.boundary = Boundary::dielectric, .epsilon_r = 2.0};
  const Scene scene = make_scene(p);
  for (const Index t : {0, 79}) EXPECT_EQ(std::pair(scene.front[t], scene.back[t]), std::pair(0, 1));
  for (const Index t : {80, 159}) EXPECT_EQ(std::pair(scene.front[t], scene.back[t]), std::pair(1, -1));
  EXPECT_EQ(scene.regions[0].triangles.size(), 80u);
  EXPECT_EQ(scene.regions[1].triangles.size(), 160u);
  EXPECT_EQ(scene.regions[1].sign[0], -1);

  p.equation = Equation::cfie;
  EXPECT_COMPLAINT(p, "use equation = \"efie\"");
}

TEST(Scene, OneBodyTwoMaterials) {
  Problem p = sphere_problem(2, 1, Equation::efie);
  std::vector<int> tag(p.mesh.triangles.size(), 0);
  tag[3] = 1;
  p.mesh = make_surface_mesh("m", p.mesh.nodes, p.mesh.triangles, tag, {"a", "b"});
  p.surfaces = {{.boundary = Boundary::dielectric, .epsilon_r = 3.0},
                {.boundary = Boundary::dielectric, .epsilon_r = 2.0}};
  EXPECT_COMPLAINT(p, "\"a\" does not enclose its material");
  p.surfaces[0] = {.boundary = Boundary::impedance, .surface_impedance = 100.0};
  EXPECT_COMPLAINT(p, "an impedance must not touch other kinds of surfaces");
}

TEST(Scene, ResolutionCountsTheShortestWavelength) {
  Problem p = sphere_problem(2, 1, Equation::efie, {.boundary = Boundary::dielectric, .epsilon_r = 4.0});

  const Scene scene = make_scene(p);
  EXPECT_NEAR(resolution(p, scene).wavelength, pi, 1e-12);
}

}  // namespace
}  // namespace curlew::ie
