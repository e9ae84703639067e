// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Scattering matrix of modal ports from one block of solutions, by small dense algebra.
//
// The sparse system A carries a reference admittance c_ref on each port instead of the modal terms, which are
// of rank num_modes and dense. With F = [f_m] and X = A⁻¹F, the exact system (A + F D Fᵀ) x = 2 F C a, C =
// diag(c_m), D = diag(c_m - c_ref), has the solution x = X y, y = 2 C a - D v, v = Fᵀ x, where
//   (I + G D) v = 2 G C a,   G = Fᵀ X.
// Modes of an inhomogeneous guide are not orthogonal to each other in L2: there D is replaced by a matrix K
// that also couples columns ∫ W·e_m dS, appended to F (ports/port_coupling.hpp). Near a resonance of A (of a
// lossless device) this loses digits: see coupled_columns.hpp.

#include <Eigen/Core>
#include <vector>

#include "base/types.hpp"
#include "fem/driven/power_waves.hpp"
#include "fem/ports/port_solution.hpp"

namespace curlew::fem {

struct ScatteringResult {
  Eigen::MatrixXcd s;  ///< [reported, reported] of power waves of every mode's own impedance; S_ij: out at i,
                       ///< in at j
  Eigen::MatrixXcd weights;  ///< [modes, reported] y for 1 W incident in a mode: x = X y
};

/// Amplitudes of modes for 1 W incident at the port's terminals.
Eigen::VectorXcd amplitudes_of_one_watt(const std::vector<ModeState>& modes, double omega);

/// @param g [columns, columns] Fᵀ X; the first columns belong to the modes
/// @param coupling [columns, columns] K; without it D
/// @param omega angular frequency [rad/s]: fixes the amplitude that carries 1 W
/// @param reported modes in S and in the incident waves, ascending; the others only absorb power S refers to
/// the planes that the modes' shifts lead to; the weights do not.
ScatteringResult scattering(const Eigen::MatrixXcd& g, const Eigen::MatrixXcd& coupling,
                            const std::vector<ModeState>& modes, const std::vector<Eigen::Index>& reported,
                            double omega);
ScatteringResult scattering(const Eigen::MatrixXcd& g, const std::vector<ModeState>& modes,
                            const std::vector<Eigen::Index>& reported, double omega);

/// S from amplitudes v = Fᵀx at the ports' faces.
/// @param v [modes, modes] all amplitudes, outgoing and incident, column j for a unit amplitude incident in
/// mode j
Eigen::MatrixXcd scattering_of_amplitudes(const Eigen::MatrixXcd& v, const std::vector<ModeState>& modes,
                                          double omega);

/// The same from solutions of the whole system, (A + F K Fᵀ) x_m = f_m of every reported mode m.
/// @param v [modes, reported] Fᵀ x. The weights are [reported, reported].
ScatteringResult scattering_of_solutions(const Eigen::MatrixXcd& v, const std::vector<ModeState>& modes,
                                         const std::vector<Eigen::Index>& reported, double omega);

/// Amplitudes (I + G K)⁻¹ Fᵀ A⁻¹ b of the columns in (A + F K Fᵀ) x = b (Woodbury).
/// @param alone [columns, any] Fᵀ A⁻¹ b
Eigen::MatrixXcd coupled_amplitudes(const Eigen::MatrixXcd& g, const Eigen::MatrixXcd& coupling,
                                    const Eigen::MatrixXcd& alone);

/// Power waves [reported, sources] [sqrt W] that leave through the ports without incident waves.
/// @param v [modes, sources] amplitudes
Eigen::MatrixXcd outgoing_waves(const Eigen::MatrixXcd& v, const std::vector<ModeState>& modes,
                                const std::vector<Eigen::Index>& reported, double omega);

/// Deviations of a scattering matrix from reciprocity, passivity and power balance, propagating modes only.
struct ScatteringChecks {
  double reciprocity = 0;            ///< max |S_ij - S_ji|
  Eigen::Index gaining_mode = 0;     ///< mode with the largest part of the excess outgoing power
  Eigen::Index unbalanced_mode = 0;  ///< incident mode of `power_balance`
  double largest_gain = 0;           ///< largest singular value minus 1: > 0 violates passivity
  double power_balance = 0;          ///< max_j |1 - Σ_i |S_ij|²|: absorbed share, 0 for a lossless device
};
ScatteringChecks check_scattering(const Eigen::MatrixXcd& s, const std::vector<ModeState>& modes);

}  // namespace curlew::fem
