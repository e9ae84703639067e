// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Power waves of any reference impedance, Z of positive real part: a = (V + Z I) / 2√Re Z,
// b = (V - Z* I) / 2√Re Z, so that |a|² - |b|² is the power into the load and no passive load has |b| > |a|,
// whatever the phase of Z. With a real Z they are the usual travelling waves. Source: Kurokawa (1965), IEEE
// Trans. MTT 13(2), power waves and the scattering matrix.

#include <Eigen/Core>
#include <vector>

#include "base/types.hpp"

namespace curlew::fem {

/// S of power waves from S of travelling waves, V = √Z (a + b), I = (a - b) / √Z.
/// @param phases [ports] Z/|Z| of the ports; 0 keeps the travelling waves of a port (a mode below its
/// cut-off)
Eigen::MatrixXcd power_wave_scattering(const Eigen::MatrixXcd& s, const std::vector<Complex>& phases);

/// Renormalises S of power waves to other reference impedances.
/// @param impedances [ports] those that S refers to [ohm]; travelling waves where they carry no power
/// @param references [ports] the new ones [ohm], real part > 0; 0 keeps a port's waves
/// @throws InputError for an impedance of zero where a reference is given
Eigen::MatrixXcd renormalized(const Eigen::MatrixXcd& s, const std::vector<Complex>& impedances,
                              const std::vector<Complex>& references);

}  // namespace curlew::fem
