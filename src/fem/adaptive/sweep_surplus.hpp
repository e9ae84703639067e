// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Changes of S by the next order (surplus.hpp) at all frequencies of a sweep, from solutions at some of them.
//
// Between solutions x_k the field is nearly their sum with weights w_k(f²) of a rational interpolant, and its
// residual in the next order is nearly Σ w_k r_k with r_k = A(f_k) x_k; the difference, Σ w_k (f_k² - f²)
// times the mass matrix times x_k, is small with these weights. The change of x_iᵀ A x_j is then a sum of w_k
// w_l r_kᵀ C⁻¹ r_l: it grows at resonances between the solutions like the field.
//
// Except for the factor k0² of gradients C hardly varies over a band, since curls dominate in cells shorter
// than half a wavelength: C at the middle is used for all frequencies, unless its change between the ends,
// weighted by the corrections, is too large; then each half or quarter has its own. Only linearly independent
// residuals are solved for, together: for a lossless device with n modes n real ones at each frequency.

#include <Eigen/Core>
#include <vector>

#include "base/types.hpp"
#include "fem/model/model.hpp"
#include "fem/space.hpp"
#include "linalg/sampling/rational_interpolant.hpp"

namespace curlew::fem {

class SweepSurplus {
 public:
  using Solution = Eigen::Map<const Eigen::MatrixXcd>;  ///< [num_dofs, columns]
  /// Periodic cells must be their own dual problem (surplus.hpp).
  /// @param frequencies [Hz] ascending @param solutions of each, with the same columns
  /// @param truncation as SurplusContext has it
  SweepSurplus(const NedelecSpace& space, const Model& model, std::vector<double> frequencies,
               const std::vector<Solution>& solutions, const std::vector<Index>& truncation = {});

  /// Changes of x_iᵀ A x_j [columns, columns].
  struct Changes {
    Eigen::MatrixXcd gradients, others;  ///< by added functions of each kind
  };
  /// @param frequency [Hz] between the solutions or of one of them
  Changes at(double frequency) const;
  bool by_stars() const { return by_stars_; }

 private:
  bool by_stars_;
  linalg::RationalInterpolant weights_;  // over f²
  struct Part {
    Eigen::MatrixXcd gradients, others;    // rᵀ C⁻¹ r of independent residuals, the first times k0²
    std::vector<Eigen::MatrixXcd> shares;  // [frequencies] coefficients in some of these [of them, columns]
    std::vector<Eigen::Index> first;       // [frequencies] index of the first of them
  };
  std::vector<Part> parts_;  // functions corrected by stars, by the diagonal
};

}  // namespace curlew::fem
