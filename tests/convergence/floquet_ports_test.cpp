// SPDX-License-Identifier: BSD-3-Clause
// Floquet ports against Fresnel's slab and interface at oblique incidence, a grating's power and reciprocity,
// and mode matching of a perforated plate.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "fem/driven/driven_problem.hpp"
#include "fem/periodic/floquet_port.hpp"
#include "perforated_plate.hpp"
#include "periodic_cell.hpp"

namespace curlew::fem {
namespace {

using test::PeriodicCell;

constexpr double k0 = 2 * pi;  // wavelength 1 m
const double frequency = speed_of_light;
constexpr double degree = pi / 180;

void set_angles(Periodicity& periodicity, double theta, double phi) {
  periodicity.arrival = {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  periodicity.theta_direction = {std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi),
                                 -std::sin(theta)};
  periodicity.highest_frequency = frequency;
}

DrivenSolution solve(const PeriodicCell& cell, Model model, int order) {
  model.order = order;
  model.periodicity = cell.periodicity;
  DrivenProblem problem(cell.mesh, cell.topology, model, {});
  problem.analyse();
  return problem.solve(frequency);
}

// ---- slab ----

constexpr double slab_begin = 0.2, slab_end = 0.4, length = 0.6;

PeriodicCell slab_cell(int across, int along) {
  auto box =
      mesh::make_box({.hi = {0.3, 0.25, length}, .blocks = {across, across, along}, .shuffle_seed = 11});
  test::split_volume(box, "slab", [](Vec3<double> x) { return x.z > slab_begin && x.z < slab_end; });
  return {box, "xy"};
}

Model slab_model(Complex epsilon) {
  Model model;
  model.materials = {{.regions = {"volume"}}, {.regions = {"slab"}, .epsilon_r = epsilon}};
  for (const char* side : {"z1", "z0"})
    model.ports.push_back({.region = side, .kind = floquet_port({.modes = 2, .absorbed_modes = 4})});
  return model;
}

/// Airy's sums of Fresnel's coefficients, of transverse E. Source: Born and Wolf (1999), section 1.6.4.
struct Airy {
  Complex r, t;
};
Airy airy(Complex epsilon, double theta, bool te) {
  const Complex inside = std::sqrt(epsilon - std::pow(std::sin(theta), 2));
  const Complex y0 = te ? std::cos(theta) : 1 / std::cos(theta), y1 = te ? inside : epsilon / inside;
  const Complex r = (y0 - y1) / (y0 + y1),
                delay = std::exp(Complex(0, -1) * k0 * inside * (slab_end - slab_begin));
  const Complex outside =
      std::exp(Complex(0, -2 * k0 * std::cos(theta) * slab_begin));  // both ways, or once on each side
  return {outside * r * (1.0 - delay * delay) / (1.0 - r * r * delay * delay),
          outside * (1.0 - r * r) * delay / (1.0 - r * r * delay * delay)};
}

double slab_error(const PeriodicCell& cell, Complex epsilon, double theta, int order) {
  const auto s = solve(cell, slab_model(epsilon), order).scattering.s;
  double error = 0;
  for (const int mode : {0, 1}) {
    const Airy exact = airy(epsilon, theta, mode == 0);
    error = std::max({error, std::abs(s(mode, mode) - exact.r), std::abs(s(mode + 2, mode) - exact.t),
                      std::abs(s(mode + 2, mode + 2) - exact.r), std::abs(s(mode, mode + 2) - exact.t),
                      std::abs(s(1 - mode, mode)), std::abs(s(3 - mode, mode))});
  }
  return error;
}

TEST(ObliqueSlab, ConvergesToFresnelWithTwiceTheOrder) {
  const int blocks[4][2] = {{}, {3, 9}, {1, 3}, {1, 3}};
  for (const double theta : {30.0, 60.0}) {
    for (const int order : {1, 2, 3}) {
      double error[2];
      for (const int fine : {0, 1}) {
        PeriodicCell cell = slab_cell(blocks[order][0] << fine, blocks[order][1] << fine);
        set_angles(cell.periodicity, theta * degree, 25 * degree);
        error[fine] = slab_error(cell, 3.0, theta * degree, order);
      }
      EXPECT_GT(std::log2(error[0] / error[1]), 2 * order - 0.5)
          << theta << " degrees, order " << order << ": " << error[0] << ", " << error[1];
      if (order == 3) {
        EXPECT_LT(error[1], 1e-4);
      }
    }
  }
}

TEST(ObliqueSlab, HoldsWithLossAndAtNormalIncidence) {
  for (const double theta : {0.0, 40.0}) {
    PeriodicCell cell = slab_cell(2, 6);
    set_angles(cell.periodicity, theta * degree, 70 * degree);
    EXPECT_EQ(cell.periodicity.is_real(), theta == 0);
    EXPECT_LT(slab_error(cell, Complex(3, -0.8), theta * degree, 3), 1e-4) << theta;
  }
}

/// A phase per pair, or a wave vector, instead of angles.
TEST(ObliqueSlab, PhasesAndWaveVectorsSayTheSameAsAngles) {
  PeriodicCell cell = slab_cell(1, 3);
  const double theta = 50 * degree, phi = -100 * degree;
  set_angles(cell.periodicity, theta, phi);
  const auto by_angle = solve(cell, slab_model(2.5), 2).scattering.s;
  cell.periodicity.wave_vector = -k0 * *cell.periodicity.arrival;
  cell.periodicity.arrival.reset();
  const auto by_vector = solve(cell, slab_model(2.5), 2).scattering.s;
  for (auto& pair : cell.periodicity.pairs)
    pair.phase = dot(cell.periodicity.wave_vector, pair.faces.translation);
  cell.periodicity.wave_vector = {};
  const auto by_phase = solve(cell, slab_model(2.5), 2).scattering.s;
  EXPECT_LT((by_vector - by_angle).norm(), 1e-10);
  EXPECT_LT((by_phase - by_angle).norm(), 1e-10);
}

/// From vacuum into a half space of ε 4: angle in the first port's medium, power waves.
TEST(ObliqueInterface, HasFresnelsCoefficients) {
  const double theta = 45 * degree;
  auto box = mesh::make_box({.hi = {0.2, 0.2, 0.4}, .blocks = {2, 2, 6}, .shuffle_seed = 2});
  test::split_volume(box, "ground", [](Vec3<double> x) { return x.z < 0.2; });
  PeriodicCell cell(box, "xy");
  set_angles(cell.periodicity, theta, 10 * degree);
  Model model = slab_model(1.0);
  model.materials[1] = {.regions = {"ground"}, .epsilon_r = 4.0};
  const auto s = solve(cell, model, 3).scattering.s;
  const double kz0 = k0 * std::cos(theta), kz1 = k0 * std::sqrt(4 - 0.5);
  for (const int mode : {0, 1}) {
    const double y0 = mode == 0 ? kz0 : 1 / kz0, y1 = mode == 0 ? kz1 : 4 / kz1;
    const double r = (y0 - y1) / (y0 + y1), t = 2 * std::sqrt(y0 * y1) / (y0 + y1);
    EXPECT_LT(std::abs(s(mode, mode) - r * std::polar(1.0, -0.4 * kz0)), 1e-5);
    EXPECT_LT(std::abs(s(mode + 2, mode) - t * std::polar(1.0, -0.2 * (kz0 + kz1))), 1e-5);
  }
}

/// A wave from below comes through the ground: its angle is counted there, or nowhere.
TEST(ObliqueInterface, CountsTheAngleWhereTheWaveComesFrom) {
  const double theta = 160 * degree;
  auto box = mesh::make_box({.hi = {0.2, 0.2, 0.4}, .blocks = {2, 2, 6}, .shuffle_seed = 2});
  test::split_volume(box, "ground", [](Vec3<double> x) { return x.z < 0.2; });
  PeriodicCell cell(box, "xy");
  set_angles(cell.periodicity, theta, 10 * degree);
  Model model = slab_model(1.0);
  model.materials[1] = {.regions = {"ground"}, .epsilon_r = 4.0};
  EXPECT_THROW(solve(cell, model, 1), InputError);
  std::swap(model.ports.at(0), model.ports.at(1));
  const auto s = solve(cell, model, 3).scattering.s;
  const double kt = 2 * k0 * std::sin(theta), kz0 = std::sqrt(k0 * k0 - kt * kt),
               kz1 = -2 * k0 * std::cos(theta);
  const double te = (kz1 - kz0) / (kz1 + kz0), tm = (4 / kz1 - 1 / kz0) / (4 / kz1 + 1 / kz0);
  EXPECT_LT(std::abs(s(0, 0) - te * std::polar(1.0, -0.4 * kz1)), 1e-5);
  EXPECT_LT(std::abs(s(1, 1) - tm * std::polar(1.0, -0.4 * kz1)), 1e-5);
}

// ---- grating ----

/// A period of 1.2 wavelengths with an L of ε 2.25: orders 0 and one more propagate on both sides.
PeriodicCell grating_cell() {
  auto box = mesh::make_box({.hi = {1.2, 0.1, 1.2}, .blocks = {12, 1, 12}, .shuffle_seed = 4});
  test::split_volume(box, "ridge", [](Vec3<double> x) {
    return (x.z > 0.4 && x.z < 0.6 && x.x < 0.7) || (x.z > 0.4 && x.z < 0.9 && x.x > 0.2 && x.x < 0.5);
  });
  return {box, "xy"};
}

Model grating_model() {
  Model model;
  model.materials = {{.regions = {"volume"}}, {.regions = {"ridge"}, .epsilon_r = 2.25}};
  for (const char* side : {"z1", "z0"})
    model.ports.push_back({.region = side, .kind = floquet_port({.modes = 0, .absorbed_modes = 12})});
  return model;
}

TEST(Grating, KeepsItsPowerAndIsReciprocalInTheAngle) {
  PeriodicCell cell = grating_cell();
  set_angles(cell.periodicity, 20 * degree, 0);
  const auto there = solve(cell, grating_model(), 2);
  set_angles(cell.periodicity, 20 * degree, pi);
  const auto back = solve(cell, grating_model(), 2);
  const auto& s = there.scattering.s;
  ASSERT_EQ(s.rows(), 8);
  EXPECT_LT(check_scattering(s, there.modes).power_balance, 1e-6);
  EXPECT_LT((s - back.scattering.s.transpose()).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GT((s - s.transpose()).cwiseAbs().maxCoeff(), 0.05);  // it has no symmetry of its own
  EXPECT_GT(std::abs(s(2, 0)), 0.05);                          // and does diffract
}

// ---- perforated plate ----

/// The field grows without bound at the edges of the hole: 0.028 on these cells, 0.02 on cells of half the
/// size.
TEST(PerforatedPlate, AgreesWithModeMatchingAtAnAngle) {
  const test::PerforatedPlate plate{0.6, 0.6, 0.4, 0.4, 0.1};
  const double theta = 30 * degree, phi = 20 * degree, gap = 0.2;
  auto box =
      mesh::make_box({.lo = {-0.3, -0.3, 0}, .hi = {0.3, 0.3, 0.5}, .blocks = {6, 6, 5}, .shuffle_seed = 6});
  test::split_volume(box, "metal", [&](Vec3<double> x) {
    return x.z > gap && x.z < gap + 0.1 && std::max(std::abs(x.x), std::abs(x.y)) > 0.2;
  });
  PeriodicCell cell(box, "xy");
  set_angles(cell.periodicity, theta, phi);
  Model model;
  // Metal as a medium with so much loss that no field enters.
  model.materials = {{.regions = {"volume"}}, {.regions = {"metal"}, .epsilon_r = Complex(1, -1e9)}};
  for (const char* side : {"z1", "z0"})
    model.ports.push_back({.region = side, .kind = floquet_port({.modes = 2, .absorbed_modes = 12})});
  const auto s = solve(cell, model, 2).scattering.s;
  const auto exact = test::match_plate(plate, k0, theta, phi, 12);
  const Complex delay = std::polar(1.0, -2 * gap * k0 * std::cos(theta));
  const double y[2] = {std::cos(theta), 1 / std::cos(theta)};
  for (const int i : {0, 1})
    for (const int j : {0, 1}) {
      const double power = std::sqrt(y[i] / y[j]);
      EXPECT_LT(std::abs(s(i, j) - delay * power * exact.reflected[i][j]), 0.035) << i << j;
      EXPECT_LT(std::abs(s(i + 2, j) - delay * power * exact.transmitted[i][j]), 0.035) << i << j;
    }
}

}  // namespace
}  // namespace curlew::fem
