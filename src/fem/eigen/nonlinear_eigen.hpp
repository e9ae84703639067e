// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Modes of resonators whose equation T(λ) x = 0, λ = k², is not linear in λ: conductivity, dispersive media,
// impedance walls, radiation.
//
// All modes start from the problem linearised at the target, (T - λT') x = -λ T' x, or from the real one with
// walls of the same |Zs| if these are good conductors, and are corrected together in one space
// (linalg/direct/nonlinear_pairs.hpp). Modes that this does not bring to the tolerance are corrected one by
// one, by inverse iteration with Newton's step for symmetric T, y = T⁻¹T'x, λ <- λ - xᵀT'x / xᵀT'y, until λ
// is stationary. Source: Ruhe (1973), SIAM J. Numer. Anal. 10(4); Güttel and Tisseur (2017), Acta Numerica
// 26, section 4.1.

#include <vector>

#include "base/types.hpp"
#include "fem/eigen/cavity.hpp"

namespace curlew::fem {

/// True if T is K - λM with constant matrices.
bool is_linear(const Model& model);

struct NonlinearMode {
  Complex square;  ///< k² [1/m²]
  std::vector<Complex> x;
  double residual;
};

/// @param target [Hz] > 0, of the linearised problem, whose modes above it are corrected
/// @param lost receives modes that did not converge; null: they are an error
/// @throws NumericalError
std::vector<NonlinearMode> nonlinear_modes(const NedelecSpace& space, const Model& model,
                                           const CavityOptions& options, double target, LostModes* lost);

}  // namespace curlew::fem
