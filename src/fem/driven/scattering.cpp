// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/scattering.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"

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

ScatteringResult scattering(const Eigen::MatrixXcd& g, const Eigen::MatrixXcd& coupling,
                            const std::vector<ModeState>& modes, const std::vector<Eigen::Index>& reported,
                            double omega) {
  const Eigen::VectorXcd c = gather(modes, &ModeState::admittance);
  const auto columns = g.rows(), n = Eigen::Index(modes.size());
  const Eigen::MatrixXcd unit = Eigen::MatrixXcd::Identity(n, n);
  Eigen::MatrixXcd drive = Eigen::MatrixXcd::Zero(columns, n);
  drive.topRows(n) = 2.0 * unit * c.asDiagonal();
  const Eigen::MatrixXcd w =
      (Eigen::MatrixXcd::Identity(columns, columns) + g * coupling).lu().solve(g * drive);
  const Eigen::MatrixXcd s = scattering_of_amplitudes(w.topRows(n), modes, omega);
  const Eigen::VectorXcd y = c / Complex(0, omega * vacuum_permeability);
  const Eigen::VectorXcd amplitude = (2.0 / y.array().abs()).sqrt().matrix();
  const Eigen::MatrixXcd weights = (drive - coupling * w) * amplitude.asDiagonal();
  return {s(reported, reported), weights(Eigen::all, reported)};
}

ScatteringResult scattering(const Eigen::MatrixXcd& g, const std::vector<ModeState>& modes,
                            const std::vector<Eigen::Index>& reported, double omega) {
  const Eigen::VectorXcd d = gather(modes, &ModeState::admittance) - gather(modes, &ModeState::reference);
  return scattering(g, Eigen::MatrixXcd(d.asDiagonal()), modes, reported, omega);
}

Eigen::MatrixXcd scattering_of_amplitudes(const Eigen::MatrixXcd& v, const std::vector<ModeState>& modes,
                                          double omega) {
  // Power in a mode is |a|² Re(Y)/2 with Y = c/(jωμ0): amplitudes times √Y are power waves.
  const Eigen::VectorXcd root =
      (gather(modes, &ModeState::admittance) / Complex(0, omega * vacuum_permeability)).cwiseSqrt();
  const Eigen::VectorXcd shift = gather(modes, &ModeState::shift).array().exp().matrix();
  return shift.cwiseProduct(root).asDiagonal() * (v - Eigen::MatrixXcd::Identity(v.rows(), v.cols())) *
         shift.cwiseQuotient(root).asDiagonal();
}

SourceResponse source_response(const Eigen::MatrixXcd& alone, const Eigen::MatrixXcd& g,
                               const Eigen::MatrixXcd& coupling, const std::vector<ModeState>& modes,
                               const std::vector<Eigen::Index>& reported, double omega) {
  const auto columns = g.rows(), n = Eigen::Index(modes.size());
  const Eigen::MatrixXcd v = (Eigen::MatrixXcd::Identity(columns, columns) + g * coupling).lu().solve(alone);
  // |v|² Re(Y)/2 is the power of a mode.
  const Eigen::VectorXcd y =
      gather(modes, &ModeState::admittance) / Complex(0, 2 * omega * vacuum_permeability);
  const Eigen::VectorXcd scale =
      y.cwiseSqrt().cwiseProduct(gather(modes, &ModeState::shift).array().exp().matrix());
  const Eigen::MatrixXcd outgoing = scale.asDiagonal() * v.topRows(n);
  return {outgoing(reported, Eigen::all), coupling * v};
}

Eigen::MatrixXcd coupling_of(const std::vector<PortSolution>& ports) {
  Eigen::Index modes = 0, columns = 0;
  for (const auto& port : ports) {
    modes += Eigen::Index(port.modes.size());
    if (!port.shapes.empty()) columns += Eigen::Index(port.modes.size());
  }
  Eigen::MatrixXcd k = Eigen::MatrixXcd::Zero(modes + columns, modes + columns);
  Eigen::Index first = 0, shape = modes;
  for (const auto& port : ports) {
    const auto n = Eigen::Index(port.modes.size());
    for (Eigen::Index m = 0; m < n; ++m) {
      const ModeState& state = port.modes[std::size_t(m)];
      k(first + m, first + m) += state.admittance;
      if (port.shapes.empty()) {
        k(first + m, first + m) -= state.reference;
        continue;
      }
      for (Eigen::Index j = 0; j < n; ++j)
        k(first + m, first + j) += state.reference * port.gram[std::size_t(m * n + j)];
      k(first + m, shape + m) = k(shape + m, first + m) = -state.reference;
    }
    first += n;
    if (!port.shapes.empty()) shape += n;
  }
  return k;
}

Eigen::MatrixXcd renormalized(const Eigen::MatrixXcd& s, const std::vector<Complex>& impedances,
                              double reference) {
  const auto n = s.rows();
  Eigen::VectorXcd root(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const Complex z = impedances[std::size_t(i)];
    if (z == 0.0)
      throw InputError("reference_impedance: a port mode has no impedance by the definition asked");
    root[i] = std::sqrt(z / reference);
  }
  // In terms of z = Z/reference: z = r (1 + S)(1 - S)⁻¹ r and S' = (z - 1)(z + 1)⁻¹; written without the
  // inverse of 1 - S, which an open port makes singular.
  const Eigen::MatrixXcd unit = Eigen::MatrixXcd::Identity(n, n);
  const Eigen::MatrixXcd plus = root.asDiagonal() * (unit + s),
                         minus = root.cwiseInverse().asDiagonal() * (unit - s);
  return (plus - minus) * (plus + minus).lu().solve(unit);
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
