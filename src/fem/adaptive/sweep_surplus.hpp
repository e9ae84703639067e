// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Changes of S by the next order (surplus.hpp) at all frequencies of a sweep, from solutions at some of them.
//
// Between solutions x_k the field is nearly their sum with weights w_k(f²) of a rational interpolant, and so
// is what the next order leaves of it: residuals r_k = A(f_k) x_k leave in Σ w_k r_k what Σ w_k (f_k² - f²)
// x_k has of the mass matrix, which these weights make small. The change x_iᵀ A x_j is then one of r_kᵀ C⁻¹
// r_l with w_k w_l: it grows at resonances between the solutions as the field does.
//
// But for the k0² of gradients C hardly varies over a band, since curls make most of the rest in cells
// shorter than half a wavelength: one at the middle stands for all, unless its change between the ends,
// weighted by the corrections, says otherwise; then each half has its own, or each quarter. Residuals of all
// solutions are solved for at once, and no more of them than are independent: of a lossless device with n
// modes n real ones at each frequency.

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
  /// Periodic cells: their dual problem must be their own (surplus.hpp).
  /// @param frequencies [Hz] ascending @param solutions of each, with the same columns
  SweepSurplus(const NedelecSpace& space, const Model& model, std::vector<double> frequencies,
               const std::vector<Solution>& solutions);

  /// Of x_iᵀ A x_j [columns, columns].
  struct Changes {
    Eigen::MatrixXcd gradients, others;  ///< by added functions of each kind
  };
  /// @param frequency [Hz] between the solutions or of one of them
  Changes at(double frequency) const;
  bool by_stars() const { return by_stars_; }

 private:
  bool by_stars_;
  linalg::RationalInterpolant weights_;   // over f²
  Eigen::MatrixXcd gradients_, others_;   // rᵀ C⁻¹ r of independent residuals, the first times k0²
  std::vector<Eigen::MatrixXcd> shares_;  // [frequencies] of some of these [those, columns]
  std::vector<Eigen::Index> first_;       // [frequencies] of them
};

}  // namespace curlew::fem
