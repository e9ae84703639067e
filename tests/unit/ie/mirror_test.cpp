// SPDX-License-Identifier: BSD-3-Clause
// Planes of symmetry against solutions of every wave without symmetry.
#include "ie/surface/mirror.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

/// An icosphere, which is the same in the mirrors x, y, z = 0, with its nodes moved.
Problem deformed_sphere(Equation equation, const Surface& surface,
                        const std::function<Vec3<double>(Vec3<double>)>& move) {
  Problem p = sphere_problem(2, 2.5, equation, surface);
  std::vector<Vec3<double>> nodes;
  for (const auto& node : p.mesh.nodes) nodes.push_back(move(node));
  p.mesh = make_surface_mesh("egg", nodes, p.mesh.triangles, p.mesh.tag, p.mesh.tag_names);
  return p;
}

/// No symmetry in z, and that in x and y around planes away from the origin.
Vec3<double> to_egg(Vec3<double> r) {
  return {1.3 * r.x + 0.4, 0.8 * r.y - 0.7, r.z * (1 + 0.2 * r.z)};
}

/// A plate at z = 0, bent up along x and y, of 4 n^2 squares.
Problem plate_problem(int n) {
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  const int width = 2 * n + 1;
  for (int i = -n; i <= n; ++i)
    for (int j = -n; j <= n; ++j) {
      const double x = double(i) / n, y = double(j) / n;
      nodes.push_back({x, 0.7 * y, 0.2 * x * x + 0.1 * y * y});
    }
  for (int i = -n; i < n; ++i)
    for (int j = -n; j < n; ++j) {
      const Index a = Index((i + n) * width + j + n), b = a + width, c = b + 1, d = a + 1;
      if ((i < 0) == (j < 0))  // diagonals as in the mirror
        triangles.insert(triangles.end(), {{a, b, c}, {a, c, d}});
      else
        triangles.insert(triangles.end(), {{a, b, d}, {b, c, d}});
    }
  Problem p;
  p.mesh = make_surface_mesh("plate", nodes, triangles, std::vector<int>(triangles.size(), 0), {"plate"});
  p.surfaces = {{}};
  p.frequency = 3 * speed_of_light / (2 * pi);
  p.equation = Equation::efie;
  return p;
}

/// A wave and its images in the planes x, y and both, which differ in angles by hand: theta^ goes to theta^
/// in mirrors across x and y, phi^ to -phi^. The last field is that of its image turned over.
std::vector<PlaneWave> wave_and_images() {
  const double theta = 0.7, phi = 0.4, angle = 0.5;
  return {{theta, phi, angle},
          {theta, pi - phi, -angle},
          {theta, -phi, -angle},
          {theta, pi + phi, angle},
          {theta, -phi, pi - angle}};
}

double relative_difference(const std::vector<Complex>& a, const std::vector<Complex>& b) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference += std::norm(a[i] - b[i]), size += std::norm(b[i]);
  return std::sqrt(difference / size);
}

std::vector<int> axes_of(const std::vector<MirrorPlane>& planes) {
  std::vector<int> axes;
  for (const auto& plane : planes) axes.push_back(plane.axis);
  return axes;
}

void expect_currents_of_solutions(const Problem& problem, std::vector<int> axes) {
  const System system(problem);
  const auto planes = find_mirror_planes(system);
  ASSERT_EQ(axes_of(planes), axes);
  const auto waves = wave_and_images();
  const auto pairs = pair_waves(waves, planes, system.scene().regions[0].k.real());
  std::vector<std::vector<Complex>> solved;
  for (const auto& wave : waves) solved.push_back(solve_directly(system, wave));
  for (std::size_t w = 0; w < waves.size(); ++w) {
    EXPECT_EQ(pairs[w].from, 0U) << w;
    std::vector<Complex> image(solved[0].size());
    mirror_currents(pairs[w], planes, solved[0], image);
    // Near pairs are integrated more finely over the triangle of the lower number, which is no question of
    // mirrors.
    EXPECT_LT(relative_difference(image, solved[w]), 2e-4) << w;
    // Tests with f of E, H and n x H go as f, so that right-hand sides are images as currents are.
    mirror_currents(pairs[w], planes, right_hand_side(system, waves[0]), image);
    EXPECT_LT(relative_difference(image, right_hand_side(system, waves[w])), 1e-12) << w;
  }
}

TEST(Mirror, CurrentsOfImagesAreThoseOfTheirSolutions) {
  const Surface dielectric{.boundary = Boundary::dielectric, .epsilon_r = {2.5, -0.3}, .mu_r = 1.2};
  const Surface impedance{.boundary = Boundary::impedance, .surface_impedance = {80, 40}};
  expect_currents_of_solutions(deformed_sphere(Equation::efie, {}, to_egg), {0, 1});
  expect_currents_of_solutions(deformed_sphere(Equation::cfie, {}, to_egg), {0, 1});
  auto dual = deformed_sphere(Equation::cfie, {}, to_egg);
  dual.testing = MagneticTesting::dual;
  expect_currents_of_solutions(dual, {0, 1});
  expect_currents_of_solutions(deformed_sphere(Equation::efie, dielectric, to_egg), {0, 1});
  expect_currents_of_solutions(deformed_sphere(Equation::efie, impedance, to_egg), {0, 1});
  expect_currents_of_solutions(plate_problem(3), {0, 1});
}

TEST(Mirror, OnePlane) {
  const auto move = [](Vec3<double> r) { return Vec3<double>{r.x + 0.2 * r.x * r.x, r.y, r.z + 0.3 * r.x}; };
  const System system(deformed_sphere(Equation::cfie, {}, move));
  const auto planes = find_mirror_planes(system);
  ASSERT_EQ(axes_of(planes), std::vector<int>{1});
  EXPECT_EQ(planes[0].position, 0);
  const auto pairs = pair_waves(wave_and_images(), planes, 1);
  std::vector<std::size_t> from;
  for (const auto& pair : pairs) from.push_back(pair.from);
  EXPECT_EQ(from, (std::vector<std::size_t>{0, 1, 0, 1, 0}));
}

TEST(Mirror, NodesMatchToABillionth) {
  const auto moved = [](double by) {
    Problem p = sphere_problem(2, 2.5, Equation::cfie);
    auto nodes = p.mesh.nodes;
    const auto top = std::max_element(nodes.begin(), nodes.end(), [](auto a, auto b) { return a.z < b.z; });
    top->z -= by;
    p.mesh = make_surface_mesh("dent", nodes, p.mesh.triangles, p.mesh.tag, p.mesh.tag_names);
    return find_mirror_planes(System(p)).size();
  };
  EXPECT_EQ(moved(1e-11), 3U);
  EXPECT_LT(moved(1e-7), 3U);
}

/// Two spheres at x = -2 and 2.
std::vector<int> axes_of_spheres(const Surface& left, const Surface& right) {
  const auto soup = test::icosphere(1, 1.0);
  std::vector<Vec3<double>> nodes;
  std::vector<Triangle> triangles;
  std::vector<int> tag;
  for (const int side : {0, 1}) {
    const auto shift = Index(nodes.size());
    for (const auto& node : soup.nodes) nodes.push_back({node.x + 4 * side - 2, node.y, node.z});
    for (auto t : soup.triangles) {
      for (Index& node : t) node += shift;
      triangles.push_back(t), tag.push_back(side);
    }
  }
  Problem p;
  p.mesh = make_surface_mesh("spheres", nodes, triangles, tag, {"left", "right"});
  p.surfaces = {left, right};
  p.frequency = speed_of_light / (2 * pi);
  p.equation = Equation::efie;
  return axes_of(find_mirror_planes(System(p)));
}

TEST(Mirror, SurfacesAndMediaMustMatchToo) {
  const auto filled = [](double epsilon) {
    return Surface{.boundary = Boundary::dielectric, .epsilon_r = epsilon};
  };
  const auto wall = [](double ohm) {
    return Surface{.boundary = Boundary::impedance, .surface_impedance = ohm};
  };
  const std::vector<int> all{0, 1, 2}, none_in_x{1, 2};
  EXPECT_EQ(axes_of_spheres({}, {}), all);
  EXPECT_EQ(axes_of_spheres(filled(2), filled(2)), all);
  EXPECT_EQ(axes_of_spheres(filled(2), filled(3)), none_in_x);
  EXPECT_EQ(axes_of_spheres(filled(2), {}), none_in_x);
  EXPECT_EQ(axes_of_spheres(wall(100), wall(100)), all);
  EXPECT_EQ(axes_of_spheres(wall(100), wall(150)), none_in_x);
}

MirrorPlane plane_across(int axis) {
  return {axis, 0.0, {}};
}
std::size_t num_solved(const std::vector<PlaneWave>& waves, const std::vector<MirrorPlane>& planes) {
  const auto pairs = pair_waves(waves, planes, 1);
  std::size_t count = 0;
  for (std::size_t w = 0; w < pairs.size(); ++w) count += pairs[w].from == w;
  return count;
}

TEST(Mirror, HalfOrAQuarterOfACutIsSolved) {
  std::vector<PlaneWave> waves;
  for (int degree = 0; degree <= 360; ++degree)
    for (const double angle : {0.0, pi / 2}) waves.push_back({pi / 2, degree * pi / 180, angle});
  ASSERT_EQ(waves.size(), 722U);
  EXPECT_EQ(num_solved(waves, {plane_across(1)}), 362U);                   // 0 to 180
  EXPECT_EQ(num_solved(waves, {plane_across(0), plane_across(1)}), 182U);  // 0 to 90
  // In the plane of the cut itself every wave is its own image: only 0 and 360 degrees are the same.
  EXPECT_EQ(num_solved(waves, {plane_across(2)}), 720U);
}

TEST(Mirror, ObliqueFieldsAndAmplitudesMustMatch) {
  const double theta = 1.1, phi = 0.3, angle = 0.4;
  EXPECT_EQ(num_solved({{theta, phi, angle}, {theta, -phi, -angle}}, {plane_across(1)}), 1U);
  EXPECT_EQ(num_solved({{theta, phi, angle}, {theta, -phi, angle}}, {plane_across(1)}), 2U);
  EXPECT_EQ(num_solved({{theta, phi, angle}, {theta, -phi, -angle, 2}}, {plane_across(1)}), 2U);
  EXPECT_EQ(num_solved({{theta, phi, angle}, {theta, -phi - 1e-6, -angle}}, {plane_across(1)}), 2U);
  // theta^ goes to -theta^ at pi - theta in the mirror across z, phi^ to phi^.
  EXPECT_EQ(num_solved({{theta, phi, angle}, {pi - theta, phi, -angle}}, {plane_across(2)}), 1U);
}

}  // namespace
}  // namespace curlew::ie
