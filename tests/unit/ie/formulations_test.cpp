// SPDX-License-Identifier: BSD-3-Clause
// Surface formulations on spheres against their series. The error of flat triangles and of RWG functions in
// the far field both fall with the square of the edge: halving edges must quarter it. Larger cases:
// docs/measured/ie.md.
#include <gtest/gtest.h>

#include <map>

#include "ie/results/far_fields.hpp"
#include "ie/surface/point_currents.hpp"
#include "mesh/straighten.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

SphereError error_of(Problem problem, const test::Sphere& sphere) {
  const System system(std::move(problem));
  const auto& p = system.problem();
  return compare(system, solve_directly(system, mie_wave()),
                 test::Mie(sphere, 2 * pi * p.frequency / speed_of_light));
}

class Conductor : public testing::TestWithParam<Equation> {};

TEST_P(Conductor, ErrorFallsWithTheSquareOfTheEdge) {
  for (const double ka : {0.1, 1.5}) {
    const auto coarse = error_of(sphere_problem(3, ka, GetParam()), test::conducting_sphere(1));
    const auto fine = error_of(sphere_problem(6, ka, GetParam()), test::conducting_sphere(1));

    EXPECT_GT(std::log2(coarse.field / fine.field), 1.8) << "ka " << ka;
    EXPECT_LT(fine.field, 0.06);
    EXPECT_GT(std::log2(coarse.extinction / fine.extinction), 1.8) << "ka " << ka;
  }
}
INSTANTIATE_TEST_SUITE_P(Equations, Conductor,
                         testing::Values(Equation::efie, Equation::mfie, Equation::cfie));

/// A zero imaginary part may have either sign; inside, all fields decay in both cases.
TEST(NegativePermittivity, IsThatOfTheSeries) {
  const double ka = 0.5;
  for (const double zero : {0.0, -0.0}) {
    const Complex eps(-4, zero);
    const auto p =
        sphere_problem(5, ka, Equation::efie, {.boundary = Boundary::dielectric, .epsilon_r = eps});
    const Region inside = System(p).scene().regions[1];
    EXPECT_LT(inside.k.imag(), 0);
    EXPECT_LT(std::abs(inside.k * inside.eta / (ka * vacuum_impedance) - 1.0), 1e-12);  // k η = ωμ0
    EXPECT_LT(error_of(p, test::dielectric_sphere(1, {-4, -1e-12})).field, 0.1);
  }
}

// k a = 2.7437 is the first interior resonance of the sphere; the flat triangles of this mesh have it
// at 2.78.
TEST(InteriorResonance, SpoilsEfieAndMfieButNotCfie) {
  const double ka = 2.78;
  const test::Mie mie(test::conducting_sphere(1), ka);
  double condition[3], error[3];
  int number = 0;
  for (const auto equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
    const System system(sphere_problem(4, ka, equation));
    auto matrix = fill_dense(system);
    auto x = right_hand_side(system, mie_wave());
    condition[number] = linalg::solve_dense(matrix, x.data(), 1, linalg::LuPrecision::full, true).condition;
    error[number++] = compare(system, x, mie).field;
  }

  EXPECT_GT(condition[0], 20 * condition[2]) << "EFIE: its false currents do not radiate, but cost digits";
  EXPECT_GT(condition[1], 20 * condition[2]);
  EXPECT_GT(error[1], 0.2) << "MFIE: its false currents radiate";
  EXPECT_LT(error[2], 0.05);
}

/// Middles of edges against a rule of degree 4, at nine edges per wavelength.
TEST(FarFields, OfEdgesAreThoseOfAFinerRule) {
  const System system(
      sphere_problem(5, 3, Equation::efie, {.boundary = Boundary::dielectric, .epsilon_r = 2.0}));
  const auto x = solve_directly(system, mie_wave());
  const std::vector<fields::Direction> directions{{0.1, 0.2}, {1.2, 0.7}, {2.9, 3}};
  const auto fine = fields::far_field(outer_points(system), outer_currents(system, x.data(), 1), directions,
                                      {system.scene().regions[0].k.real()});
  const auto far = FarFields(system).pattern(x.data(), 1, directions);
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < directions.size(); ++i) {
    difference += std::norm(far.e_theta[i] - fine.e_theta[i]) + std::norm(far.e_phi[i] - fine.e_phi[i]);
    size += std::norm(fine.e_theta[i]) + std::norm(fine.e_phi[i]);
  }

  EXPECT_LT(std::sqrt(difference / size), 1e-3);
}

TEST(Dielectric, ErrorFallsAndPowerBalances) {
  for (const Complex epsilon_r : {Complex(4), Complex(2.56, -0.1)}) {
    const Surface surface{.boundary = Boundary::dielectric, .epsilon_r = epsilon_r};
    const auto sphere = test::dielectric_sphere(1, epsilon_r);
    const auto coarse = error_of(sphere_problem(3, 1, Equation::efie, surface), sphere);
    const auto fine = error_of(sphere_problem(6, 1, Equation::efie, surface), sphere);

    EXPECT_GT(std::log2(coarse.field / fine.field), 1.8);
    EXPECT_LT(fine.rms_db, 0.2);
    EXPECT_LT(fine.imbalance, 2e-4);
    EXPECT_LT(fine.absorption, 5e-3);
  }
}

/// Triangles of second order with all their nodes on the unit sphere.
mesh::Mesh curved_sphere(int n) {
  const auto soup = test::icosphere(n, 1.0);
  mesh::Mesh out;
  out.geometry_order = 2, out.nodes = soup.nodes, out.surfaces = {{"sphere", {}}};
  std::map<std::pair<Index, Index>, Index> middles;
  for (auto t : soup.triangles) {
    std::sort(t.begin(), t.end());
    out.surfaces[0].entities.push_back(out.num_triangles());
    out.triangles.insert(out.triangles.end(), t.begin(), t.end());
    for (const auto& [a, b] : mesh::triangle_edge_vertices) {
      const auto [at, is_new] = middles.try_emplace({t[a], t[b]}, Index(out.nodes.size()));
      if (is_new) out.nodes.push_back(normalized(out.nodes[t[a]] + out.nodes[t[b]]));
      out.triangles.push_back(at->second);
    }
  }
  return out;
}

// What is left of the error once flat triangles have the sphere's volume is that of the basis functions.
TEST(FacetsOfEqualVolume, MeetATenthOfADecibelAtTenEdgesAWavelength) {
  const auto error_on_facets = [](int n, Equation equation, const Surface& surface,
                                  const test::Sphere& sphere) {
    Problem p = sphere_problem(n, 2, equation, surface);
    p.mesh = extract_surfaces(mesh::straighten(curved_sphere(n)), {"sphere"});
    return error_of(p, sphere);
  };
  const auto metal = test::conducting_sphere(1);
  const Surface glass{.boundary = Boundary::dielectric, .epsilon_r = 4.0};

  const double inscribed = error_of(sphere_problem(4, 2, Equation::efie), metal).rms_db;

  EXPECT_LT(error_on_facets(4, Equation::efie, {}, metal).rms_db, 0.1 * inscribed);
  EXPECT_LT(error_on_facets(4, Equation::cfie, {}, metal).rms_db, 0.1);
  EXPECT_LT(error_on_facets(3, Equation::efie, glass, test::dielectric_sphere(1, 4.0)).rms_db, 0.1);
}

TEST(Dielectric, MagneticMaterialsToo) {
  const Surface surface{.boundary = Boundary::dielectric, .epsilon_r = 2.0, .mu_r = {3, -0.5}};

  EXPECT_LT(
      error_of(sphere_problem(5, 1, Equation::efie, surface), test::dielectric_sphere(1, 2.0, {3, -0.5}))
          .field,
      0.04);
}

TEST(ImpedanceSphere, MatchesItsSeries) {
  const Surface surface{.boundary = Boundary::impedance, .surface_impedance = {100, 50}};
  const auto sphere = test::impedance_sphere(1, {100, 50});
  const auto coarse = error_of(sphere_problem(3, 1.5, Equation::efie, surface), sphere);
  const auto fine = error_of(sphere_problem(6, 1.5, Equation::efie, surface), sphere);

  EXPECT_GT(std::log2(coarse.field / fine.field), 1.8);
  EXPECT_LT(fine.rms_db, 0.14);
}

TEST(CoatedConductor, MatchesItsSeries) {
  Problem p = sphere_problem(5, 1, Equation::efie);
  p.mesh = sphere_mesh(5, {1.0, 0.7});
  p.surfaces = {{.boundary = Boundary::dielectric, .epsilon_r = {2.56, -0.1}}, {}};

  const auto error = error_of(p, test::coated_conducting_sphere(0.7, 1, {2.56, -0.1}));

  EXPECT_LT(error.field, 0.05);
  EXPECT_LT(error.imbalance, 2e-3);
}

TEST(LowFrequency, DirectSolutionHoldsAtKa1e4) {
  const test::Mie mie(test::conducting_sphere(1), 1e-4);
  const System system(equal_volume_problem(4, 1e-4, Equation::efie));

  EXPECT_LT(compare(system, solve_directly(system, mie_wave()), mie).field, 2e-3);
}

/// Relative difference of the field that one wave scatters towards where another comes from, and the reverse.
double reciprocity_error(int n, Equation equation) {
  const System system(equal_volume_problem(n, 1.5, equation));
  const PlaneWave one{0.3, 0.2, 0.4}, two{1.9, 2.5, 1.1};
  auto matrix = fill_dense(system);
  std::vector<Complex> x = right_hand_side(system, one), y = right_hand_side(system, two);
  x.insert(x.end(), y.begin(), y.end());
  linalg::solve_dense(matrix, x.data(), 2, linalg::LuPrecision::full, false);
  const auto amplitude = [&](const Complex* solution, const PlaneWave& to) {
    const fields::Direction d{to.theta, to.phi};
    const auto f = fields::far_field(outer_points(system), outer_currents(system, solution, 1),
                                     std::span(&d, 1), {system.scene().regions[0].k.real()});
    return std::cos(to.polarization) * f.e_theta[0] + std::sin(to.polarization) * f.e_phi[0];
  };
  const Complex there = amplitude(x.data(), two), back = amplitude(x.data() + system.num_unknowns(), one);
  return std::abs(there - back) / std::abs(there);
}

/// Galerkin's EFIE is symmetric: the remaining difference is the error of its integrals. The MFIE tests n x
/// H, its matrix is not the transpose of itself, and reciprocity comes with the square of the edge.
TEST(Reciprocity, HoldsToTheAccuracyOfTheIntegralsAndOfTheMfie) {
  EXPECT_LT(reciprocity_error(5, Equation::efie), 1e-9);
  const double coarse = reciprocity_error(3, Equation::cfie), fine = reciprocity_error(6, Equation::cfie);
  EXPECT_LT(fine, 1e-3);
  EXPECT_GT(std::log2(coarse / fine), 1.8);
}

/// y = A x by points, all pairs, as a fast product would: far pairs agree with the dense matrix.
TEST(PointCurrents, GiveTheFarPartOfTheMatrix) {
  const double k = 1.5;
  Problem p = sphere_problem(2, k, Equation::efie);
  p.mesh = sphere_mesh(2, {1.0});
  auto far = test::icosphere(2, 1.0, {30, 1, 2});
  auto nodes = p.mesh.nodes;
  auto triangles = p.mesh.triangles;
  for (auto t : far.triangles) {
    for (Index& n : t) n += Index(p.mesh.nodes.size());
    triangles.push_back(t);
  }
  nodes.insert(nodes.end(), far.nodes.begin(), far.nodes.end());
  p.mesh = make_surface_mesh("two", nodes, triangles, std::vector<int>(triangles.size(), 0), {"all"});
  const System system(p);
  const auto matrix = fill_dense(system);
  const auto points = system.point_currents(0, system.integrals(0).far_rule());
  std::vector<Complex> x(system.num_unknowns()), y(x.size());
  x[3] = {0.4, 1.0};  // on the first sphere

  const auto n = std::size_t(points.num_points());
  std::vector<Complex> charges(4 * n), fields(4 * n);
  using Value = PointCurrentsView::Value;
  const auto view = points.view();
  const auto coefficient = [&x](Index b) { return reinterpret_cast<const Value*>(x.data())[b]; };
  for (Offset at = 0; at < points.num_points(); ++at)
    view.spread(at, coefficient, reinterpret_cast<Value*>(charges.data()));
  const Complex jk = Complex(0, 1) * k;
  for (std::size_t t = n / 2; t < n; ++t) {
    for (std::size_t s = 0; s < n / 2; ++s) {
      const double r = norm(points.points[t] - points.points[s]);
      const Complex g = std::exp(-jk * r) / (4 * pi * r);
      for (int i = 0; i < 3; ++i) fields[i * n + t] += jk * g * charges[i * n + s];
      fields[3 * n + t] += g / jk * charges[3 * n + s];
    }
  }
  for (Index b = 0; b < points.num_unknowns; ++b)
    y[std::size_t(b)] = Complex(view.test(b, reinterpret_cast<const Value*>(fields.data()), 1, 1));

  for (Index row = system.num_unknowns() / 2; row < system.num_unknowns(); ++row)
    EXPECT_LT(std::abs(y[row] - matrix(row, 3) * x[3]), 1e-12) << row;
}

}  // namespace
}  // namespace curlew::ie
