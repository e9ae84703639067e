// SPDX-License-Identifier: BSD-3-Clause
// Bodies that touch, against the same bodies without the cuts and plates that leave their field as it is, and
// those against their series.
#include "ie/surface/junctions.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.hpp"
#include "composite_problems.hpp"
#include "ie/results/near_field.hpp"
#include "message_of.hpp"

namespace curlew::ie {
namespace {

constexpr Complex filling{4, -0.2};
using Names = std::vector<std::string>;

struct Scattered {
  System system;
  std::vector<Complex> x;
  explicit Scattered(Problem problem, const PlaneWave& wave = mie_wave())
      : system(std::move(problem)), x(solve_directly(system, wave)) {}

  fields::FarField far() const {
    std::vector<fields::Direction> cut;
    for (int degree = 0; degree <= 180; degree += 15)
      for (const double phi : {0.0, 0.8, pi / 2}) cut.push_back({degree * pi / 180, phi});
    return fields::far_field(outer_points(system), outer_currents(system, x.data(), 1), cut,
                             {system.scene().regions[0].k.real()});
  }
  SphereError error(const test::Sphere& sphere) const {
    return compare(system, x, test::Mie(sphere, 2 * pi * system.problem().frequency / speed_of_light));
  }
};

/// Difference of far fields, relative, 2-norm.
double far_difference(const Scattered& one, const Scattered& other) {
  const auto a = one.far(), b = other.far();
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < a.e_theta.size(); ++i) {
    sum += std::norm(a.e_theta[i] - b.e_theta[i]) + std::norm(a.e_phi[i] - b.e_phi[i]);
    size += std::norm(b.e_theta[i]) + std::norm(b.e_phi[i]);
  }
  return std::sqrt(sum / size);
}

CutSphere two_halves(int n) {
  CutSphere s(n);
  s.add_half("upper", 1, 1), s.add_half("lower", 1, -1);
  return s;
}
CutSphere with_disc(int n) {
  CutSphere s = two_halves(n);
  s.add_disc("cut", 1);
  return s;
}
Problem halves(int n, Complex one, Complex other, const Names& conductors = {}) {
  return with_disc(n).problem(1, {{one, {"upper", "cut"}}, {other, {"lower", "cut"}}}, conductors);
}
Scattered whole(int n) {
  return Scattered(two_halves(n).problem(1, {{filling, {"upper", "lower"}}}));
}

/// Facets with the volume of the sphere.
Problem at_equal_volume(Problem p) {
  double volume = 0;
  for (Index t = 0; t < p.mesh.num_triangles(); ++t)
    if (p.mesh.tag_names[std::size_t(p.mesh.tag[t])] != "cut")
      volume += std::abs(dot(p.mesh.centroid(t), p.mesh.area_vector(t))) / 6;
  for (auto& node : p.mesh.nodes) node = std::cbrt(4 * pi / 3 / volume) * node;
  return p;
}

TEST(Junctions, ASphereCutInTwoScattersAsItsSeries) {
  const auto error =
      Scattered(at_equal_volume(halves(4, filling, filling))).error(test::dielectric_sphere(1, filling));

  EXPECT_LT(error.rms_db, 0.2);
  EXPECT_LT(error.imbalance, 2e-3);
}

// The cut adds the error of the currents on it, much less than that of the sphere's facets. As it
// falls with the square of the edge, no constant part of it is left.
TEST(Junctions, ACutThroughAUniformBodyChangesNothing) {
  const double coarse = far_difference(Scattered(halves(2, filling, filling)), whole(2));
  const double fine = far_difference(Scattered(halves(4, filling, filling)), whole(4));

  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.5);
}

TEST(Junctions, ACutThroughTheCoatingOfAConductorChangesNothing) {
  CutSphere s = two_halves(3);
  s.add_half("core_upper", 0.6, 1), s.add_half("core_lower", 0.6, -1);
  const Scattered plain(s.problem(1, {{filling, {"upper", "lower"}}})),
      cut(cut_coated(3, 1, 0.6, filling, filling));

  EXPECT_LT(far_difference(cut, plain), 5e-3);
  EXPECT_GT(far_difference(cut, Scattered(cut_coated(3, 1, 0.6, filling, 2.0))), 0.1);
}

// E is normal to the plane of symmetry x = 0: a conductor there finds its condition met.
TEST(Junctions, PlatesInThePlaneOfSymmetryChangeNothing) {
  const Scattered sphere = whole(3);
  CutSphere ring = two_halves(3);  // a sheet that goes through the surface of one body
  ring.add_ring("plate", 0.4, 1), ring.add_ring("brim", 1, 1.5);

  EXPECT_LT(far_difference(Scattered(halves(3, filling, filling, {"cut"})), sphere), 2e-3);
  EXPECT_LT(far_difference(Scattered(plate_between_halves(3, 1, filling, filling)), sphere), 2e-3);
  EXPECT_LT(far_difference(Scattered(ring.problem(1, {{filling, {"upper", "lower"}}})), sphere), 2e-3);
}

// A body of vacuum has no effect. Then only the surfaces of the other remain, and the code for bodies apart.
// Currents are singular at the rims of conductors: the order falls to that of the energy missed there, 4/3 at
// a right angle and 1 at the edge of a sheet.
TEST(Junctions, ABodyOfVacuumIsNotThere) {
  const auto expect_same = [](const char* what, double most, double order,
                              const std::function<std::pair<Problem, Problem>(int)>& with_without) {
    const PlaneWave oblique{1.0, 0.4, 0.7};
    double error[2];
    for (const int n : {2, 4}) {
      const auto [with, without] = with_without(n);
      error[n / 4] = far_difference(Scattered(with, oblique), Scattered(without, oblique));
    }
    EXPECT_LT(error[1], most) << what;
    EXPECT_GT(std::log2(error[0] / error[1]), order) << what;
  };
  const auto half = [](int n) {
    CutSphere s(n);
    s.add_half("upper", 1, 1), s.add_disc("cut", 1);
    return s;
  };
  const auto disc = [](int n) {
    CutSphere s(n);
    s.add_disc("cut", 1);
    return s.problem(1, {});
  };
  expect_same("beside a body", 0.01, 1.8, [&](int n) {
    return std::pair(halves(n, filling, 1.0), half(n).problem(1, {{filling, {"upper", "cut"}}}));
  });
  expect_same("on a conductor", 0.02, 1.3, [&](int n) {
    return std::pair(with_disc(n).problem(1, {{1.0, {"lower", "cut"}}}, {"cut"}), half(n).problem(1, {}));
  });
  expect_same("on both sides of a sheet", 0.1, 0.9,
              [&](int n) { return std::pair(halves(n, 1.0, 1.0, {"cut"}), disc(n)); });
  expect_same("on one side of a sheet", 0.1, 0.9, [&](int n) {
    return std::pair(half(n).problem(1, {{1.0, {"upper", "cut"}}}, {"cut"}), disc(n));
  });
}

// The rim of the ring is outside: no singular current depends on the body.
TEST(Junctions, ASheetMayGoThroughTheSurfaceOfABody) {
  const PlaneWave oblique{1.0, 0.4, 0.7};
  const auto ring = [](CutSphere s) {
    s.add_ring("inner", 0.4, 1), s.add_ring("outer", 1, 1.5);
    return s;
  };
  const Scattered alone(ring(CutSphere(4)).problem(1, {}), oblique),
      through(ring(two_halves(4)).problem(1, {{1.0, {"upper", "lower"}}}), oblique);

  EXPECT_LT(far_difference(through, alone), 0.02);
}

TEST(Junctions, FieldsInsideAreThoseOfTheWholeSphere) {
  const std::vector<Vec3<double>> points{{0.3, 0.2, -0.1}, {-0.4, 0.1, 0.3}, {0.2, 1.5, 0.3}, {-1, 1, -1}};
  const Scattered cut(halves(4, filling, filling)), sphere = whole(4);
  const auto regions = regions_of(cut.system, points);
  EXPECT_EQ(regions, (std::vector<int>{1, 2, 0, 0}));

  const auto got = radiated_field(cut.system, cut.x.data(), points, regions),
             expect =
                 radiated_field(sphere.system, sphere.x.data(), points, regions_of(sphere.system, points));

  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto de = got.e[i] - expect.e[i], dh = got.h[i] - expect.h[i];
    EXPECT_LT(std::sqrt(std::norm(de.x) + std::norm(de.y) + std::norm(de.z)), 0.01) << i;
    EXPECT_LT(vacuum_impedance * std::sqrt(std::norm(dh.x) + std::norm(dh.y) + std::norm(dh.z)), 0.03) << i;
  }
}

TEST(Junctions, TwoConductorsThatTouchAreOne) {
  for (const auto equation : {Equation::efie, Equation::cfie}) {
    Problem cut = with_disc(3).problem(1, {}), plain = two_halves(3).problem(1, {});
    cut.equation = plain.equation = equation;
    const Scattered one(cut), other(plain);

    EXPECT_EQ(one.system.num_unknowns(), other.system.num_unknowns());
    EXPECT_LT(far_difference(one, other), 1e-12);
  }
}

TEST(Junctions, UnknownsAreCountedByTheRules) {
  const System dielectric(halves(2, 4.0, 2.0)), sheet(halves(2, 4.0, 2.0, {"cut"}));
  const Index rim = 8, dome = (3 * 16 - rim) / 2;  // edges; for a half or the disc those within
  EXPECT_EQ(dielectric.num_electric(), 3 * dome + rim);
  EXPECT_EQ(dielectric.num_unknowns(), 2 * (3 * dome + rim));
  // The sheet: two sides; on its rim J flows from one side of it over both halves to the other, and M is
  // zero.
  EXPECT_EQ(sheet.num_electric(), 4 * dome + rim);
  EXPECT_EQ(sheet.num_unknowns() - sheet.num_electric(), 2 * dome);
}

// Half conductor, quarters of dielectrics, a plate: no series, but powers and reciprocity.
TEST(Junctions, PowersBalanceAndTheMatrixIsSymmetric) {
  for (const auto& problem :
       {plate_between_halves(3, 1, filling, 2.0), cut_coated(3, 1, 0.6, {2, -1}, filling)}) {
    const Scattered s(problem);
    const auto wave = mie_wave();
    const auto sections = cross_sections(s.system, s.x.data(), std::span(&wave, 1)).front();

    EXPECT_GT(sections.absorption, 0.01);
    EXPECT_LT(sections.imbalance(), 5e-3);
    const auto matrix = fill_dense(s.system);
    for (Index i = 0; i < s.system.num_unknowns(); i += 7)
      for (Index j = 0; j < i; ++j) ASSERT_EQ(matrix(i, j), matrix(j, i));
  }
}

std::string refusal(Problem problem) {
  return test::message_of<InputError>([&] { make_scene(problem); });
}

TEST(Junctions, WhatTheBodiesLeaveUnsaidIsRefused) {
  const auto says = [](const Problem& p, const std::string& words) {
    EXPECT_NE(refusal(p).find(words), std::string::npos) << refusal(p);
  };
  says(with_disc(2).problem(1, {{2.0, {"upper"}}, {4.0, {"lower", "cut"}}}), "\"upper\" does not enclose");
  const Names all{"upper", "lower", "cut"};
  says(with_disc(2).problem(1, {{2.0, all}, {4.0, all}}), "two materials fill the volume inside surface");
  Problem p = halves(2, 2.0, 4.0);
  p.surfaces[2] = {.boundary = Boundary::impedance, .surface_impedance = 50.0};
  says(p, "an impedance must not touch other kinds of surfaces");
  p = halves(2, 2.0, 4.0, {"cut"});
  p.equation = Equation::cfie;
  says(p, "\"cut\" is open: MFIE and CFIE need closed surfaces");
  p = with_disc(2).problem(1, {});
  p.equation = Equation::mfie, p.testing = MagneticTesting::dual;
  says(p, "dual functions test bodies that do not touch");
}

// Hollow bodies, given by all their surfaces: their inside is not part of them.
TEST(Junctions, AHollowBodyHoldsVacuum) {
  Problem p = sphere_problem(2, 1, Equation::efie);
  p.mesh = sphere_mesh(2, {1.0, 0.5});
  p.surfaces.assign(2, {.boundary = Boundary::dielectric});
  p.bodies = {{4.0, 1.0, {0, 1}}};

  const Scene scene = make_scene(p);

  ASSERT_EQ(scene.regions.size(), 3u);
  EXPECT_NEAR(scene.regions[1].k.real(), 2, 1e-12);
  EXPECT_NEAR(scene.regions[2].k.real(), 1, 1e-12);
}

}  // namespace
}  // namespace curlew::ie
