// SPDX-License-Identifier: BSD-3-Clause
// The small dense algebra behind S: it must not depend on the reference admittance, and power must add up.

#include "fem/driven/scattering.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "base/constants.hpp"

namespace curlew::fem {
namespace {

constexpr double omega = 2 * pi * 10e9;

/// A lossless two-port: A = F K Fᵀ on two unknowns that are the port amplitudes, K real symmetric; so
/// G = (K + c_ref)^-1 and, with admittances j c, S = (c - K)(c + K)^-1 in normalised form.
Eigen::MatrixXcd network(const std::vector<ModeState>& modes) {
  Eigen::MatrixXcd k(2, 2);
  k << 120.0, -70.0, -70.0, 30.0;
  for (int i = 0; i < 2; ++i) k(i, i) += modes[std::size_t(i)].reference;
  return k.inverse();
}

std::vector<ModeState> two_modes(Complex reference) {
  return {{{0, 150}, {0, 150}, reference, true}, {{0, 90}, {0, 90}, reference, true}};
}

TEST(Scattering, DoesNotDependOnTheReference) {
  const auto exact = two_modes({0, 150}), other = two_modes({25, 77});
  const auto s = scattering(network(exact), exact, {0, 1}, omega).s;
  EXPECT_LT((s - scattering(network(other), other, {0, 1}, omega).s).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(Scattering, OfALosslessReciprocalNetworkIsUnitaryAndSymmetric) {
  const auto modes = two_modes({0, 90});
  const auto result = scattering(network(modes), modes, {0, 1}, omega);
  const auto checks = check_scattering(result.s, modes);
  EXPECT_LT(checks.reciprocity, 1e-13);
  EXPECT_LT(checks.power_balance, 1e-13);
  EXPECT_LT(std::abs(checks.largest_gain), 1e-13);
  EXPECT_GT(std::abs(result.s(1, 0)), 0.1);
}

TEST(Scattering, DrivesWithOneWatt) {
  // a matched mode: A = 0 on the port, so the total field is 2 a and all power comes back: v = 2 a
  std::vector<ModeState> modes{{{0, 150}, {0, 150}, {0, 150}, true}};
  Eigen::MatrixXcd g(1, 1);
  g(0, 0) = 1.0 / Complex(0, 150);
  const auto result = scattering(g, modes, {0}, omega);
  const Complex v = g(0, 0) * result.weights(0, 0);
  const double admittance = 150 / (omega * vacuum_permeability);
  EXPECT_NEAR(0.5 * admittance * std::norm(v / 2.0), 1.0, 1e-12);
  EXPECT_LT(std::abs(result.s(0, 0) - 1.0), 1e-13);
}

/// Power waves at complex Z are (V - Z* I)/2 sqrt(Re Z) (Kurokawa (1965), IEEE Trans. MTT 13, p. 194, with
/// peak values); a wave that leaves has I = -V/Z, and at its reference plane it is exp(gamma L) larger.
TEST(OutgoingWaves, AreKurokawasAtThePlaneOfReference) {
  const Complex z(400, 150), y = 1.0 / z, v(0.3, -2), shift(0.2, 0.7);
  const Complex admittance = Complex(0, omega * vacuum_permeability) * y;
  ModeState mode{{0, 150}, admittance, admittance, true};
  mode.power_phase = z / std::abs(z);
  mode.shift = shift;
  const Eigen::MatrixXcd amplitude = Eigen::MatrixXcd::Constant(1, 1, v);
  const Complex b = (v + std::conj(z) * v / z) / (2 * std::sqrt(2 * z.real()));

  const auto waves = outgoing_waves(amplitude, {mode}, {0}, omega);
  EXPECT_LT(std::abs(waves(0, 0) / (b * std::exp(shift)) - 1.0), 1e-13);
  EXPECT_NEAR(std::norm(b), 0.5 * std::norm(v) * y.real(), 1e-13);  // the power that leaves
}

/// For incident and outgoing waves both ways to the reference planes count.
TEST(Scattering, StandsAtThePlanesOfReference) {
  auto modes = two_modes({0, 90});
  const auto at_ports = scattering(network(modes), modes, {0, 1}, omega).s;
  modes[0].shift = {0.1, 0.4}, modes[1].shift = {0, -0.3};
  const auto s = scattering(network(modes), modes, {0, 1}, omega).s;
  for (Eigen::Index i = 0; i < 2; ++i)
    for (Eigen::Index j = 0; j < 2; ++j) {
      const Complex both = modes[std::size_t(i)].shift + modes[std::size_t(j)].shift;
      EXPECT_LT(std::abs(s(i, j) - std::exp(both) * at_ports(i, j)), 1e-13);
    }
}

/// A load without loss reflects all power for any phase of the reference; travelling waves give 1.27 here.
TEST(PowerWaves, OfAPassiveLoadDoNotGrow) {
  const Complex z0(78.6, -21.3), load(0, 118);
  Eigen::MatrixXcd travelling(1, 1);
  travelling(0, 0) = (load - z0) / (load + z0);
  EXPECT_GT(std::abs(travelling(0, 0)), 1.2);
  const auto s = power_wave_scattering(travelling, {z0 / std::abs(z0)});
  EXPECT_LT(std::abs(s(0, 0) - (load - std::conj(z0)) / (load + z0)), 1e-14);
  EXPECT_NEAR(std::abs(s(0, 0)), 1, 1e-14);
  const auto fifty = renormalized(s, {z0}, {50});
  EXPECT_LT(std::abs(fifty(0, 0) - (load - 50.0) / (load + 50.0)), 1e-14);
  const auto back = renormalized(fifty, {50}, {z0});
  EXPECT_LT(std::abs(back(0, 0) - s(0, 0)), 1e-14);
  EXPECT_EQ(renormalized(s, {z0}, {0.0})(0, 0), s(0, 0));
}

TEST(ScatteringChecks, SeeGainLossAndOneWayDevices) {
  const auto modes = two_modes({0, 90});
  Eigen::MatrixXcd s = Eigen::MatrixXcd::Zero(2, 2);
  s(1, 0) = 1.2;
  auto checks = check_scattering(s, modes);
  EXPECT_NEAR(checks.reciprocity, 1.2, 1e-14);
  EXPECT_NEAR(checks.largest_gain, 0.2, 1e-14);
  s(1, 0) = s(0, 1) = 0.5;
  checks = check_scattering(s, modes);
  EXPECT_NEAR(checks.power_balance, 0.75, 1e-14);
  EXPECT_LT(checks.largest_gain, 0);
  auto evanescent = modes;
  evanescent[1].propagates = false;  // carries no power waves: only S11 = 0 counts
  EXPECT_NEAR(check_scattering(s, evanescent).reciprocity, 0, 1e-14);
}

}  // namespace
}  // namespace curlew::fem
