// SPDX-License-Identifier: BSD-3-Clause
// Dipoles outside and inside spheres. Their far field is known without another series, by reciprocity:
// a dipole p at r0 and a distant one that makes a plane wave of 1 V/m at the sphere receive each other
//   equally, so e . [E r exp(jkr)](u) = -jk eta/(4 pi) p . E(r0),
// E(r0) being the total field of the wave that arrives from u with its field along e: of the Mie series.
#include "ie/sources/dipole_sources.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "base/error.hpp"
#include "ie/results/far_fields.hpp"
#include "ie/results/near_field.hpp"
#include "message_of.hpp"
#include "sphere_problems.hpp"

namespace curlew::ie {
namespace {

/// The far field of the currents and of the dipoles.
struct Solved {
  std::vector<Complex> x;
  fields::FarField far;
  DipoleSources::Powers powers;
};

std::vector<fields::Direction> directions() {
  std::vector<fields::Direction> out;
  for (const double theta : {0.2, 0.9, 1.6, 2.3, 3.0})
    for (const double phi : {0.1, 1.7, 4.0}) out.push_back({theta, phi});
  return out;
}

Solved solve_dipoles(const System& system, const std::vector<Dipole>& dipoles) {
  const DipoleSources sources(system, dipoles);
  auto matrix = fill_dense(system);
  Solved s;
  s.x = sources.right_hand_side();
  linalg::solve_dense(matrix, s.x.data(), 1, linalg::LuPrecision::full, false);
  s.far = fields::far_field(outer_points(system), outer_currents(system, s.x.data(), 1), directions(),
                            {system.scene().regions[0].k.real()});
  sources.add_far_field(directions(), s.far);
  s.powers = sources.powers(s.x.data(), FarFields(system).powers(s.x.data(), 1).front());
  return s;
}

/// p . E(r0) of a wave of 1 V/m that arrives from d with E along e, around a sphere of radius 1.
Complex received(const test::Mie& mie, double k, const Dipole& dipole, const fields::Direction& d,
                 Vec3<double> e) {
  const Vec3<double> travel = -d.radial(), third = cross(travel, e), r = dipole.position;
  const auto local = mie.near_field(dot(r, e), dot(r, third), dot(r, travel)).e;
  Vec3<Complex> field = local[0] * e + local[1] * third + local[2] * travel;
  if (norm(r) > 1) field += std::polar(1.0, -k * dot(r, travel)) * e;
  return dot(dipole.moment, field);
}

/// Relative 2-norm over the directions against reciprocity.
double error_of(const Solved& s, const test::Mie& mie, double k, const std::vector<Dipole>& dipoles) {
  const Complex front(0, -k * vacuum_impedance / (4 * pi));
  double difference = 0, size = 0;
  const auto all = directions();
  for (std::size_t i = 0; i < all.size(); ++i) {
    Complex theta = 0, phi = 0;
    for (const auto& dipole : dipoles) {
      theta += front * received(mie, k, dipole, all[i], all[i].theta_unit());
      phi += front * received(mie, k, dipole, all[i], all[i].phi_unit());
    }
    difference += std::norm(s.far.e_theta[i] - theta) + std::norm(s.far.e_phi[i] - phi);
    size += std::norm(theta) + std::norm(phi);
  }
  return std::sqrt(difference / size);
}

const Surface glass{.boundary = Boundary::dielectric, .epsilon_r = 4.0};

TEST(DipoleSources, RadiateBesideAConductorAsReciprocityAsks) {
  const double k = 1.5;
  const test::Mie mie(test::conducting_sphere(1), k);
  for (const auto equation : {Equation::efie, Equation::cfie}) {
    const System system(equal_volume_problem(4, k, equation));
    const std::vector<Dipole> dipoles{{{0.3, 0.2, 1.5}, {0.4, {0.0, 0.7}, 1.0}}};

    const auto s = solve_dipoles(system, dipoles);

    EXPECT_LT(error_of(s, mie, k, dipoles), 0.01);
    EXPECT_NEAR(s.powers.radiated, s.powers.supplied, 0.02 * s.powers.supplied);
  }
}

TEST(DipoleSources, RadiateFromInsideABodyAndBesideIt) {
  const double k = 1.5;
  const test::Mie mie(test::dielectric_sphere(1, 4.0), k);
  const System system(equal_volume_problem(4, k, Equation::efie, glass));
  const Dipole inside{{0.2, 0.3, -0.1}, {0.0, 0.3, 1.0}}, outside{{0, 1.6, 0.4}, {1.0, {0.2, 0.5}, 0.0}};
  for (const auto& dipoles : {std::vector{inside}, {outside}, {inside, outside}}) {
    const auto s = solve_dipoles(system, dipoles);

    EXPECT_LT(error_of(s, mie, k, dipoles), 0.01);
    EXPECT_NEAR(s.powers.radiated, s.powers.supplied, 0.001 * s.powers.supplied);
  }
}

/// Total field outside and inside by the currents and the dipole: the tangential one is continuous.
TEST(DipoleSources, FieldsInsideAndOutsideBelongTogether) {
  const System system(sphere_problem(5, 1.5, Equation::efie, glass));
  const DipoleSources sources(system, {{{0, 0, 0}, {0.0, 0.0, 1.0}}});
  const auto s = solve_dipoles(system, {{{0, 0, 0}, {0.0, 0.0, 1.0}}});
  const std::vector<Vec3<double>> points{{0.85, 0, 0}, {1.15, 0, 0}};
  const auto regions = regions_of(system, points);
  auto e = radiated_field(system, s.x.data(), points, regions).e;
  for (std::size_t i = 0; i < 2; ++i) e[i] += sources.own_field(points[i], regions[i]).e;

  EXPECT_EQ(regions, (std::vector{1, 0}));
  EXPECT_LT(std::abs(e[0].z - e[1].z), 0.4 * std::abs(e[1].z));
  EXPECT_GT(std::abs(e[0].z), std::abs(e[1].z));
}

/// A small sphere far away does not change a dipole's field in vacuum.
TEST(DipoleSources, AloneHasItsClassicalPowerAndDirectivity) {
  Problem p = sphere_problem(2, 0.1, Equation::efie);
  for (auto& node : p.mesh.nodes) node = 0.05 * node;
  p.frequency *= 20;
  const System system(std::move(p));
  const double k = system.scene().regions[0].k.real();
  const Dipole dipole{{1, 0, 0}, {0.0, 0.0, 1.0}};
  const double classical = vacuum_impedance * k * k / (12 * pi);

  const auto s = solve_dipoles(system, {dipole});

  EXPECT_NEAR(s.powers.radiated, classical, 2e-3 * classical);
  EXPECT_NEAR(s.powers.supplied, classical, 2e-3 * classical);
  // two in one place are one of twice the moment; a quarter of a turn apart in phase they add powers
  const auto twice = solve_dipoles(system, {dipole, dipole});
  EXPECT_NEAR(twice.powers.supplied, 4 * s.powers.supplied, 1e-6 * classical);
  const auto turned = solve_dipoles(system, {dipole, {{1, 0, 0}, {0.0, 0.0, {0.0, 1.0}}}});
  EXPECT_NEAR(turned.powers.supplied, 2 * s.powers.supplied, 1e-6 * classical);
}

TEST(DipoleSources, InALossyBodyLoseWithoutLimit) {
  const System system(
      equal_volume_problem(4, 1, Equation::efie, {.boundary = Boundary::dielectric, .epsilon_r = {4, -0.5}}));
  const test::Mie mie(test::dielectric_sphere(1, {4, -0.5}), 1);
  const std::vector<Dipole> dipoles{{{0.3, 0, 0.1}, {0.0, 0.0, 1.0}}};

  const auto s = solve_dipoles(system, dipoles);

  EXPECT_LT(error_of(s, mie, 1, dipoles), 0.01);
  EXPECT_EQ(s.powers.supplied, std::numeric_limits<double>::infinity());
  EXPECT_GT(s.powers.radiated, 0);
}

TEST(DipoleSources, RefuseWhatTheyCannotBe) {
  const System metal(sphere_problem(4, 1, Equation::efie)), body(sphere_problem(4, 1, Equation::efie, glass));
  const auto message = [](const System& system, Vec3<double> at) {
    return test::message_of<InputError>([&] { DipoleSources(system, {{at, {0.0, 0.0, 1.0}}}); });
  };

  EXPECT_NE(message(metal, {0, 0, 0.1}).find("inside surface \"sphere0\""), std::string::npos);
  EXPECT_NE(message(metal, {0, 0, 1.05}).find("from surface \"sphere0\""), std::string::npos);
  EXPECT_NE(message(body, {0, 0.6, 0.75}).find("from surface \"sphere0\""), std::string::npos);
  EXPECT_EQ(message(body, {0, 0, 0.1}), "nothing");
  EXPECT_EQ(message(metal, {0, 0, 1.5}), "nothing");
}

// The basis of nearest_dipole_in_edges: the mean edge of this mesh is 0.28; the current under a dipole along
// the surface cancels all but its difference from the image.
TEST(DipoleSources, ComeWithinAQuarterOfAnEdgeOfAConductor) {
  const double k = 1.5;
  const System system(equal_volume_problem(4, k, Equation::efie));
  const test::Mie mie(test::conducting_sphere(1), k);
  for (const auto& [moment, limit] :
       {std::pair{Vec3<Complex>{0.0, 0.0, 1.0}, 0.02}, {Vec3<Complex>{1.0, 0.0, 0.0}, 0.1}}) {
    double at = 1;
    while (locate(system, {0, 0, at}).distance < nearest_dipole_in_edges * locate(system, {0, 0, at}).edge)
      at += 0.01;
    const std::vector<Dipole> dipoles{{{0, 0, at}, moment}};
    const auto s = solve_dipoles(system, dipoles);

    EXPECT_LT(error_of(s, mie, k, dipoles), limit) << at;
  }
}

}  // namespace
}  // namespace curlew::ie
