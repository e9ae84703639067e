// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/scattering.hpp"

#include <Eigen/Core>
#include <cmath>

#include "base/constants.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::fem {
namespace {

Eigen::VectorXcd gather(const std::vector<ModeState>& modes, Complex ModeState::*member) {
  Eigen::VectorXcd values(Eigen::Index(modes.size()));
  for (std::size_t m = 0; m < modes.size(); ++m) values[Eigen::Index(m)] = modes[m].*member;
  return values;
}

Eigen::VectorXcd gather(const std::vector<ModeState>& modes, Complex FeedNetwork::*member) {
  Eigen::VectorXcd values(Eigen::Index(modes.size()));
  for (std::size_t m = 0; m < modes.size(); ++m) values[Eigen::Index(m)] = modes[m].feed.*member;
  return values;
}

/// Y of the waves [S].
Eigen::VectorXcd terminal_admittances(const std::vector<ModeState>& modes, double omega) {
  Eigen::VectorXcd values(Eigen::Index(modes.size()));
  for (std::size_t m = 0; m < modes.size(); ++m)
    values[Eigen::Index(m)] = modes[m].terminal_admittance() / Complex(0, omega * vacuum_permeability);
  return values;
}

/// Phases of the reference impedances of power waves, 0 if there are none.
std::vector<Complex> wave_phases(const std::vector<ModeState>& modes) {
  std::vector<Complex> phases;
  for (const ModeState& mode : modes) phases.push_back(mode.propagates ? mode.power_phase : 0.0);
  return phases;
}

/// Ratio of power wave to travelling wave, if the other wave of the port is zero: |V|²/2Re Z for an incident
/// power wave, |V|² Re(1/Z)/2 for an outgoing one.
Eigen::VectorXcd power_wave_factor(const std::vector<ModeState>& modes) {
  Eigen::VectorXcd factor = Eigen::VectorXcd::Ones(Eigen::Index(modes.size()));
  for (std::size_t m = 0; m < modes.size(); ++m)
    if (modes[m].propagates)
      factor[Eigen::Index(m)] = std::sqrt(modes[m].power_phase.real()) / std::sqrt(modes[m].power_phase);
  return factor;
}

std::vector<ModeState> chosen(const std::vector<ModeState>& modes,
                              const std::vector<Eigen::Index>& reported) {
  std::vector<ModeState> seen;
  for (const Eigen::Index m : reported) seen.push_back(modes[std::size_t(m)]);
  return seen;
}

/// Power waves exist for propagating modes only.
std::vector<Eigen::Index> propagating_modes(const std::vector<ModeState>& modes) {
  std::vector<Eigen::Index> kept;
  for (std::size_t m = 0; m < modes.size(); ++m) {
    if (modes[m].propagates) kept.push_back(Eigen::Index(m));
  }
  return kept;
}

}  // namespace

Eigen::VectorXcd amplitudes_of_one_watt(const std::vector<ModeState>& modes, double omega) {
  const Eigen::VectorXcd y = terminal_admittances(modes, omega);
  const Eigen::VectorXd factor = power_wave_factor(modes).cwiseAbs();
  return (2.0 / y.array().abs())
      .sqrt()
      .matrix()
      .cwiseProduct(factor)
      .cwiseProduct(gather(modes, &FeedNetwork::incident));
}

Eigen::MatrixXcd coupled_amplitudes(const Eigen::MatrixXcd& g, const Eigen::MatrixXcd& coupling,
                                    const Eigen::MatrixXcd& alone) {
  const auto unit = Eigen::MatrixXcd::Identity(g.rows(), g.cols());
  return linalg::solve(Eigen::MatrixXcd(unit + g * coupling), alone);
}

ScatteringResult scattering(const Eigen::MatrixXcd& g, const Eigen::MatrixXcd& coupling,
                            const std::vector<ModeState>& modes, const std::vector<Eigen::Index>& reported,
                            double omega) {
  const Eigen::VectorXcd c = gather(modes, &ModeState::admittance);
  const auto columns = g.rows(), n = Eigen::Index(modes.size());
  const Eigen::MatrixXcd unit = Eigen::MatrixXcd::Identity(n, n);
  Eigen::MatrixXcd drive = Eigen::MatrixXcd::Zero(columns, n);
  drive.topRows(n) = 2.0 * unit * c.asDiagonal();
  const Eigen::MatrixXcd w = coupled_amplitudes(g, coupling, g * drive);
  const Eigen::MatrixXcd weights = (drive - coupling * w) * amplitudes_of_one_watt(modes, omega).asDiagonal();
  return {scattering_of_amplitudes(w(reported, reported), chosen(modes, reported), omega),
          weights(Eigen::all, reported)};
}

ScatteringResult scattering_of_solutions(const Eigen::MatrixXcd& v, const std::vector<ModeState>& modes,
                                         const std::vector<Eigen::Index>& reported, double omega) {
  const std::vector<ModeState> seen = chosen(modes, reported);
  const Eigen::VectorXcd drive = 2.0 * gather(seen, &ModeState::admittance);
  const Eigen::VectorXcd weights = drive.cwiseProduct(amplitudes_of_one_watt(seen, omega));
  return {scattering_of_amplitudes(v(reported, Eigen::all) * drive.asDiagonal(), seen, omega),
          Eigen::MatrixXcd(weights.asDiagonal())};
}

ScatteringResult scattering(const Eigen::MatrixXcd& g, const std::vector<ModeState>& modes,
                            const std::vector<Eigen::Index>& reported, double omega) {
  const Eigen::VectorXcd d = gather(modes, &ModeState::admittance) - gather(modes, &ModeState::reference);
  return scattering(g, Eigen::MatrixXcd(d.asDiagonal()), modes, reported, omega);
}

Eigen::MatrixXcd scattering_of_amplitudes(const Eigen::MatrixXcd& v, const std::vector<ModeState>& modes,
                                          double omega) {
  // Power in a mode is |a|² Re(Y)/2 with Y = c/(jωμ0): amplitudes times √Y are power waves.
  const Eigen::VectorXcd root = terminal_admittances(modes, omega).cwiseSqrt();
  const Eigen::VectorXcd shift = gather(modes, &ModeState::shift).array().exp().matrix();
  Eigen::MatrixXcd leaving = gather(modes, &FeedNetwork::outgoing).asDiagonal() * v *
                             gather(modes, &FeedNetwork::incident).asDiagonal();
  leaving.diagonal() += gather(modes, &FeedNetwork::direct);
  const Eigen::MatrixXcd travelling =
      shift.cwiseProduct(root).asDiagonal() * leaving * shift.cwiseQuotient(root).asDiagonal();
  return power_wave_scattering(travelling, wave_phases(modes));
}

Eigen::MatrixXcd outgoing_waves(const Eigen::MatrixXcd& v, const std::vector<ModeState>& modes,
                                const std::vector<Eigen::Index>& reported, double omega) {
  // |v|² Re(Y)/2 is the power of a mode.
  const Eigen::VectorXcd y = 0.5 * terminal_admittances(modes, omega);
  const Eigen::VectorXcd scale = y.cwiseSqrt()
                                     .cwiseProduct(gather(modes, &ModeState::shift).array().exp().matrix())
                                     .cwiseProduct(gather(modes, &FeedNetwork::outgoing));
  const Eigen::VectorXcd factor = power_wave_factor(modes);
  const Eigen::MatrixXcd outgoing = factor.cwiseProduct(scale).asDiagonal() * v;
  return outgoing(reported, Eigen::all);
}

ScatteringChecks check_scattering(const Eigen::MatrixXcd& s, const std::vector<ModeState>& modes) {
  const auto kept = propagating_modes(modes);
  const Eigen::MatrixXcd p = s(kept, kept);
  ScatteringChecks checks;
  if (p.rows() == 0) return checks;
  checks.reciprocity = (p - p.transpose()).cwiseAbs().maxCoeff();
  const linalg::Svd svd = linalg::svd(p);
  checks.largest_gain = svd.s[0] - 1;
  Eigen::Index strongest = 0;
  svd.u.col(0).cwiseAbs().maxCoeff(&strongest);
  checks.gaining_mode = kept[std::size_t(strongest)];
  for (Eigen::Index j = 0; j < p.cols(); ++j) {
    const double off = std::abs(1 - p.col(j).squaredNorm());
    if (off > checks.power_balance) checks.power_balance = off, checks.unbalanced_mode = kept[std::size_t(j)];
  }
  return checks;
}

}  // namespace curlew::fem
