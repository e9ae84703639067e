// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/scattering.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"

namespace curlew::fem {
namespace {

Eigen::VectorXcd gather(const std::vector<ModeState>& modes, Complex ModeState::*member) {
  Eigen::VectorXcd values(Eigen::Index(modes.size()));
  for (std::size_t m = 0; m < modes.size(); ++m) values[Eigen::Index(m)] = modes[m].*member;
  return values;
}

/// Power waves exist for propagating modes only.
Eigen::MatrixXcd propagating_part(const Eigen::MatrixXcd& s, const std::vector<ModeState>& modes) {
  std::vector<Eigen::Index> kept;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    if (modes[m].propagates) kept.push_back(Eigen::Index(m));
  }
  return s(kept, kept);
}

}  // namespace

ScatteringResult scattering(const Eigen::MatrixXcd& g, const std::vector<ModeState>& modes,
                            const std::vector<Eigen::Index>& reported, double omega) {
  const Eigen::VectorXcd c = gather(modes, &ModeState::admittance);
  const Eigen::VectorXcd d = c - gather(modes, &ModeState::reference);
  const auto n = g.rows();
  const Eigen::MatrixXcd unit = Eigen::MatrixXcd::Identity(n, n);
  const Eigen::MatrixXcd v = (unit + g * d.asDiagonal()).lu().solve(2.0 * g * c.asDiagonal());
  // Power in a mode is |a|² Re(Y)/2 with Y = c/(jωμ0): amplitudes times √Y are power waves.
  const Eigen::VectorXcd y = c / Complex(0, omega * vacuum_permeability);
  const Eigen::VectorXcd root = y.cwiseSqrt();
  const Eigen::VectorXcd amplitude = (2.0 / y.array().abs()).sqrt().matrix();
  const Eigen::MatrixXcd s = root.asDiagonal() * (v - unit) * root.cwiseInverse().asDiagonal();
  const Eigen::MatrixXcd drive = 2.0 * unit * c.asDiagonal();
  const Eigen::MatrixXcd weights = (drive - d.asDiagonal() * v) * amplitude.asDiagonal();
  return {s(reported, reported), weights(Eigen::all, reported)};
}

ScatteringChecks check_scattering(const Eigen::MatrixXcd& s, const std::vector<ModeState>& modes) {
  const Eigen::MatrixXcd p = propagating_part(s, modes);
  ScatteringChecks checks;
  if (p.rows() == 0) return checks;
  checks.reciprocity = (p - p.transpose()).cwiseAbs().maxCoeff();
  checks.largest_gain = p.jacobiSvd().singularValues()[0] - 1;
  for (Eigen::Index j = 0; j < p.cols(); ++j) {
    checks.power_balance = std::max(checks.power_balance, std::abs(1 - p.col(j).squaredNorm()));
  }
  return checks;
}

}  // namespace curlew::fem
