// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Changes of the gain of a driven port by those of the forms x_iᵀ A x_j (adaptive/surplus.hpp).

#include <Eigen/Core>
#include <vector>

#include "base/types.hpp"
#include "fem/ports/port.hpp"

namespace curlew::fem {

/// The far field F of a port's mode in one direction. |F|² changes relatively by the real part of weight
/// times the change of the form of its dual problem, the wave that arrives from there with the polarisation
/// F*/|F|.
struct PortPeak {
  Eigen::Index column, row;         ///< of the mode and of the dual wave in the forms
  double weight;                    ///< for F in V and a wave of 1 V/m: 2 / (4π |F|)
  std::vector<Eigen::Index> modes;  ///< of the driven port
};

/// The modes of the port that this one belongs to.
std::vector<Eigen::Index> modes_of_port(const std::vector<ModePlace>& modes, Eigen::Index mode);
/// Power that the driven port accepts of 1 W. @param s modal
double accepted_power(const PortPeak& peak, const Eigen::MatrixXcd& s);
/// Relative change of |F|² over the accepted power, of which equal changes cancel.
/// @param form by which changes of forms are divided to be those of s @param changes of the forms
double change_of_gain(const PortPeak& peak, const Eigen::MatrixXcd& s, Complex form,
                      const Eigen::MatrixXcd& changes);

}  // namespace curlew::fem
