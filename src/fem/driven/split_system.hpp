// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A driven system that keeps its digits down to the static limit.
//
// In A = K + R, K of the curls and R of all else, the gradients G are held by R alone, k²h² of K and less
// than its round-off at low frequency. In the basis of gradient_split.hpp the products with gradients leave
// K out, for ∇×∇φ = 0 is exact:
//   TᵀAT = [ CᵀKC + CᵀRC   CᵀRG ]      C: all functions but the gradients
//          [ GᵀRC          GᵀRG ],
// and after scaling to a unit diagonal, D TᵀAT D, the off-diagonal blocks vanish with frequency: what is left
// is a magnetostatic and an electric problem (of charges, of currents in conductors), each regular by itself.
// Waves between conductors leave through ports as c f fᵀ, kept sparse by an unknown z = c fᵀx of its own.
// Source: Zhu and Jiao (2010), IEEE Trans. Microw. Theory Techn. 58(9), theory of the breakdown;
// Dyczij-Edlinger, Peng and Lee (1999), IEEE Trans. Microw. Theory Techn. 47(8), splitting of tangential
// vector elements.

#include <Eigen/Core>
#include <vector>

#include "base/timer.hpp"
#include "fem/driven/gradient_split.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// A column f of a port and what it adds to the system.
struct SplitLoad {
  std::vector<Complex> f;  ///< [num_dofs] ∫ W·e dS
  Complex admittance = 0;  ///< c: the system holds c f fᵀ [1/m]; 0: nothing
  /// The field is a gradient on its face that only conductors end, or has no divergence there: what else of
  /// gradients f holds is round-off.
  bool feels_conductors_alone = false, is_free_of_divergence = false;
};

struct SplitSolution {
  Eigen::MatrixXcd x;  ///< [num_dofs, loads] A⁻¹F
  Eigen::MatrixXcd g;  ///< [loads, loads] FᵀA⁻¹F, right to many more digits than products with x
  linalg::SystemReport report;
};

/// @param curl K, @param rest R, of one pattern
/// @param options direct: an iterative one is not asked
/// @param stages the seconds of assembly, factorisation (with its analysis) and substitution are added
/// @throws NumericalError if the system cannot be solved to a thousandth in double precision, by a solution
/// that is known beforehand
SplitSolution solve_split(const GradientSplit& split, const linalg::Csr<Complex>& curl,
                          const linalg::Csr<Complex>& rest, const std::vector<SplitLoad>& loads,
                          linalg::SystemOptions options, double frequency, Stages& stages);

}  // namespace curlew::fem
