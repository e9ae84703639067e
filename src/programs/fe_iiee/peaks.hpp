// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Where the far fields of a solution are greatest, and how they change by what its elements leave out.
//
// The amplitude F [V] of a far field in a direction and polarisation changes by mu_r rᵀ C⁻¹ r / 4π, one
// residual that of the wave arriving from there: the dual problem, by reciprocity
// (programs/fem/open_passes.hpp). Towards a wave it is the wave's own solution. Source: Monk and Suli (1998),
// SIAM J. Numer. Anal. 36(1).

#include <vector>

#include "fem/adaptive/surplus.hpp"
#include "programs/fe_iiee/job.hpp"

namespace curlew::fe_iiee {

/// Of some columns of a solution, in their directions.
class Peaks {
 public:
  /// Solves for the two waves that arrive from each peak, with the factors that are there; towards the waves,
  /// with [output] monostatic, for none.
  Peaks(TruncatedJob& job, const Solved& solved, std::vector<std::size_t> columns);

  std::size_t size() const { return columns_.size(); }
  /// |F|² of a peak [V²].
  double square(std::size_t i) const { return peaks_[i].square(); }
  /// A square that rounding leaves of fields of 1 V/m.
  double least_square() const;

  /// What |change of x_iᵀ A x_j| weighs in the relative changes of |F|² [columns and dual waves, squared].
  Eigen::MatrixXd weights() const;
  fem::SurplusErrors test(const Eigen::MatrixXd& weights) const;
  /// Bar of the relative change of |F|². @param bars of x_iᵀ A x_j
  template <class Bars>
  double bar(std::size_t i, const Bars& bars) const {
    double sum = 0;
    for (const auto& [row, weight] : parts_[i]) sum += weight * bars(row, Eigen::Index(columns_[i]));
    return sum;
  }
  /// Of a solution on one mesh, with what its facets are away from the surface.
  std::vector<fields::PatternError> errors() const;

 private:
  struct Peak {
    fields::Direction direction;
    Complex theta, phi;  ///< F [V]
    double square() const { return std::norm(theta) + std::norm(phi); }
  };
  struct Part {
    Eigen::Index row;
    double weight;
  };
  Eigen::Map<const Eigen::MatrixXcd> x() const;

  TruncatedJob& job_;
  double frequency_;
  fields::Exterior outside_;
  std::vector<std::size_t> columns_;
  std::vector<Peak> peaks_;
  std::vector<std::vector<Part>> parts_;  // of each peak, rows of its dual problems
  std::vector<Complex> x_;                // of all columns, then of the dual waves
};

}  // namespace curlew::fe_iiee
