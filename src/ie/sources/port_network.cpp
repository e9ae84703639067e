// SPDX-License-Identifier: BSD-3-Clause
#include "ie/sources/port_network.hpp"

#include "base/constants.hpp"

namespace curlew::ie {
namespace {

/// By the power that unit currents lose in the sheets: across a wide strip the current is not uniform, and R
/// of a small antenna may be 10^-4 of a sheet's.
Eigen::MatrixXd seen_sheets(const std::vector<PortWeights>& ports, const Eigen::MatrixXcd& currents,
                            const Complex* x, Index unknowns) {
  const Eigen::Index n = currents.rows();
  Eigen::MatrixXcd lost = Eigen::MatrixXcd::Zero(n, n);
  bool has_sheet = false;
  for (const auto& port : ports)
    for (const Entry& e : port.sheet) {
      has_sheet = true;
      for (Eigen::Index j = 0; j < n; ++j)
        for (Eigen::Index i = 0; i < n; ++i)
          lost(i, j) += vacuum_impedance * e.value * std::conj(x[i * Offset(unknowns) + e.row]) *
                        x[j * Offset(unknowns) + e.column];
    }
  if (!has_sheet) return lost.real();
  const Eigen::MatrixXcd inverse = linalg::solve(currents, Eigen::MatrixXcd::Identity(n, n));
  return (inverse.adjoint() * lost * inverse).real();
}

}  // namespace

PortNetwork port_network(const std::vector<PortWeights>& ports, const Complex* x, Index unknowns,
                         double reference) {
  const Eigen::MatrixXcd currents = port_currents(ports, x, unknowns);
  return network_of(currents, seen_sheets(ports, currents, x, unknowns), reference);
}

Eigen::MatrixXcd port_currents(const std::vector<PortWeights>& ports, const Complex* x, Index unknowns) {
  const auto n = Eigen::Index(ports.size());
  Eigen::MatrixXcd currents(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      currents(i, j) = port_current(ports[std::size_t(i)], x + j * Offset(unknowns));
  return currents;
}

Eigen::MatrixXd nominal_sheets(const std::vector<PortWeights>& ports) {
  Eigen::VectorXd sheets(Eigen::Index(ports.size()));
  for (std::size_t i = 0; i < ports.size(); ++i) sheets(Eigen::Index(i)) = ports[i].sheet_resistance;
  return sheets.asDiagonal();
}

PortNetwork network_of(const Eigen::MatrixXcd& currents, const Eigen::MatrixXd& sheets, double reference) {
  const Eigen::Index n = currents.rows();
  PortNetwork out{reference, currents, {}, sheets};
  const Eigen::MatrixXcd one = Eigen::MatrixXcd::Identity(n, n);
  // The voltage of a source is V + R I, with V at its port: I = Y (V + R I).
  if (!sheets.isZero(0)) out.admittance = linalg::solve(Eigen::MatrixXcd(one - currents * sheets), currents);
  const Eigen::MatrixXcd scaled = reference * out.admittance;
  out.scattering = linalg::solve(Eigen::MatrixXcd(one + scaled), one - scaled);
  return out;
}

Complex PortNetwork::input_impedance(Eigen::Index port) const {
  const Complex s = scattering(port, port);
  return reference * (1.0 + s) / (1.0 - s);
}

Eigen::MatrixXcd PortNetwork::driven_voltages() const {
  return std::sqrt(2 * reference) *
         (Eigen::MatrixXcd::Identity(scattering.rows(), scattering.cols()) + scattering);
}

Eigen::MatrixXcd PortNetwork::source_voltages() const {
  const Eigen::MatrixXcd v = driven_voltages();
  return v + sheets * (admittance * v);
}

void drive_ports(const PortNetwork& network, Index unknowns, Complex* x) {
  const auto n = network.scattering.rows();
  Eigen::Map<Eigen::MatrixXcd> columns(x, unknowns, n);
  columns = (columns * network.source_voltages()).eval();
}

}  // namespace curlew::ie
