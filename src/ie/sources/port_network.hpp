// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Ports as a network: S from solutions with 1 V at one port and the others shorted, and excitation of each
// port with 1 W incident and all others matched to the reference impedance.

#include <Eigen/Core>
#include <vector>

#include "ie/sources/excitation.hpp"
#include "linalg/dense/decompositions.hpp"

namespace curlew::ie {

/// [ports, ports] each, with one real reference impedance.
struct PortNetwork {
  double reference;             ///< [ohm]
  Eigen::MatrixXcd admittance;  ///< I_i for 1 V at j, others shorted [S]
  Eigen::MatrixXcd scattering;
  Eigen::MatrixXd sheets;  ///< resistances of the sources as their currents see them, outside of it [ohm]

  /// Input impedance of a port while the others are matched, Z0 (1 + S)/(1 - S) [ohm].
  Complex input_impedance(Eigen::Index port) const;
  /// Z = Y^-1: its diagonal is the input impedance with the others open [ohm].
  Eigen::MatrixXcd impedance() const {
    return linalg::solve(admittance, Eigen::MatrixXcd::Identity(admittance.rows(), admittance.cols()));
  }
  /// Largest |Yij - Yji| over the norm of Y.
  double asymmetry() const { return (admittance - admittance.transpose()).norm() / admittance.norm(); }
  /// Voltages [V] of all ports (rows) while one (column) is driven by 1 W and the others are matched:
  /// sqrt(2 Z0) (1 + S).
  Eigen::MatrixXcd driven_voltages() const;
  /// Voltages of their sources, in front of the sheets: V + R I.
  Eigen::MatrixXcd source_voltages() const;
};

/// @param currents I_i [A] for 1 V at source j, including its sheet [ports, ports]
/// @param sheets as PortNetwork::sheets
PortNetwork network_of(const Eigen::MatrixXcd& currents, const Eigen::MatrixXd& sheets, double reference);
/// As uniform currents see them, [ports, ports].
Eigen::MatrixXd nominal_sheets(const std::vector<PortWeights>& ports);
/// @param x [ports, unknowns] solutions for 1 V at each port @returns I_i [A] for 1 V at j
Eigen::MatrixXcd port_currents(const std::vector<PortWeights>& ports, const Complex* x, Index unknowns);
/// @param x [ports, unknowns] solutions for 1 V at each port
PortNetwork port_network(const std::vector<PortWeights>& ports, const Complex* x, Index unknowns,
                         double reference);

/// Replaces those solutions by the ones of the driven ports: 1 W incident at each, the others matched.
void drive_ports(const PortNetwork& network, Index unknowns, Complex* x);

}  // namespace curlew::ie
