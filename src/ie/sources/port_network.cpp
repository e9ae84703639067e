// SPDX-License-Identifier: BSD-3-Clause
#include "ie/sources/port_network.hpp"

namespace curlew::ie {

PortNetwork port_network(const std::vector<PortWeights>& ports, const Complex* x, Index unknowns,
                         double reference) {
  return network_of(ports, port_currents(ports, x, unknowns), reference);
}

Eigen::MatrixXcd port_currents(const std::vector<PortWeights>& ports, const Complex* x, Index unknowns) {
  const auto n = Eigen::Index(ports.size());
  Eigen::MatrixXcd currents(n, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (Eigen::Index i = 0; i < n; ++i)
      currents(i, j) = port_current(ports[std::size_t(i)], x + j * Offset(unknowns));
  return currents;
}

PortNetwork network_of(const std::vector<PortWeights>& ports, const Eigen::MatrixXcd& currents,
                       double reference) {
  const auto n = Eigen::Index(ports.size());
  PortNetwork out{reference, currents, {}, Eigen::VectorXd(n)};
  for (Eigen::Index i = 0; i < n; ++i) out.sheets(i) = ports[std::size_t(i)].sheet_resistance;
  const Eigen::MatrixXcd one = Eigen::MatrixXcd::Identity(n, n);
  // The voltage of a source is V + R I, with V at its port: I = Y (V + R I).
  if ((out.sheets.array() > 0).any()) {
    const Eigen::MatrixXcd seen = out.admittance;
    out.admittance = linalg::solve(Eigen::MatrixXcd(one - seen * out.sheets.asDiagonal()), seen);
  }
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
  return v + sheets.asDiagonal() * (admittance * v);
}

void drive_ports(const PortNetwork& network, Index unknowns, Complex* x) {
  const auto n = network.scattering.rows();
  const Eigen::MatrixXcd voltages = network.source_voltages();
  Eigen::VectorXcd at(n);
  for (Index u = 0; u < unknowns; ++u) {
    for (Eigen::Index p = 0; p < n; ++p) at(p) = x[p * Offset(unknowns) + u];
    const Eigen::VectorXcd driven = voltages.transpose() * at;
    for (Eigen::Index p = 0; p < n; ++p) x[p * Offset(unknowns) + u] = driven(p);
  }
}

}  // namespace curlew::ie
