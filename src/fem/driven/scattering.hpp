// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scattering matrix of modal ports from one block of solutions, by small dense algebra.
//
// The sparse system A carries a reference admittance c_ref on each port instead of the modal terms, which are
// of rank num_modes and dense. With F = [f_m] and X = A⁻¹F, the exact system (A + F D Fᵀ) x = 2 F C a, C =
// diag(c_m), D = diag(c_m - c_ref), has the solution x = X y, y = 2 C a - D v, v = Fᵀ x, where
//   (I + G D) v = 2 G C a,   G = Fᵀ X.
// c_ref leaves loss on the port, so that A has no resonance at a real frequency.

#include <Eigen/Core>
#include <vector>

#include "base/types.hpp"

namespace curlew::fem {

/// One mode's constants at a frequency.
struct ModeState {
  Complex gamma;       ///< [1/m]
  Complex admittance;  ///< c = jωμ0 Y [1/m]
  Complex reference;   ///< c_ref of its port [1/m]
  bool propagates;
};

struct ScatteringResult {
  Eigen::MatrixXcd s;        ///< [reported, reported] power-normalised; S_ij: out at i, in at j
  Eigen::MatrixXcd weights;  ///< [modes, reported] y for 1 W incident in a mode: x = X y
};

/// @param g [modes, modes] Fᵀ X
/// @param omega angular frequency [rad/s]: fixes the amplitude that carries 1 W
/// @param reported the modes that S and the incident waves are wanted of, ascending; the others take power
/// away
ScatteringResult scattering(const Eigen::MatrixXcd& g, const std::vector<ModeState>& modes,
                            const std::vector<Eigen::Index>& reported, double omega);

/// How far a scattering matrix is from what passive, reciprocal, lossless devices give, propagating modes
/// only.
struct ScatteringChecks {
  double reciprocity = 0;    ///< max |S_ij - S_ji|
  double largest_gain = 0;   ///< largest singular value minus 1: > 0 violates passivity
  double power_balance = 0;  ///< max_j |1 - Σ_i |S_ij|²|: absorbed share, 0 for a lossless device
};
ScatteringChecks check_scattering(const Eigen::MatrixXcd& s, const std::vector<ModeState>& modes);

}  // namespace curlew::fem
