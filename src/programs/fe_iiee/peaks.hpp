// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The maxima of the far fields of a solution and those towards the sources of its waves, and their changes by
// functions that its elements lack.
//
// The amplitude F [V] of a far field in a direction and polarisation changes by mu_r rᵀ C⁻¹ r / 4π, one
// residual that of the wave arriving from there: the dual problem, by reciprocity
// (programs/fem/open_job.hpp). With the polarisation F*/|F| it gives the change of |F|. In a part of a
// symmetric body that wave's part with the same symmetry is used; towards a wave, its own solution.
// Source: Monk and Suli (1998), SIAM J. Numer. Anal. 36(1).

#include <vector>

#include "fem/adaptive/surplus.hpp"
#include "fem/error/gain_error.hpp"
#include "fem/error/residual_error.hpp"
#include "fields/pattern.hpp"
#include "mesh/pass.hpp"
#include "programs/fe_iiee/job.hpp"

namespace curlew::fe_iiee {

/// Directions in which a far field is looked at.
enum class Look { greatest, back };

/// Far fields of some columns of a solution, each in one direction.
class Peaks {
 public:
  /// Solves for the wave that arrives from each peak, with the factors that are there; for none towards a
  /// wave that is scattered back as it is polarized. @param looks of each column in turn; back: of waves
  /// @param least_gain columns of ports with less are left out
  Peaks(TruncatedJob& job, const Solved& solved, const std::vector<std::size_t>& columns,
        const std::vector<Look>& looks = {Look::greatest}, double least_gain = 0);

  std::size_t size() const { return columns_.size(); }
  std::size_t column(std::size_t i) const { return columns_[i]; }
  /// |F|² of a peak [V²].
  double square(std::size_t i) const { return peaks_[i].square(); }
  /// Gain of a port, relative to its accepted power; 0 if it accepts none.
  double gain(std::size_t i) const { return gain(columns_[i], peaks_[i]); }
  /// |F|² at the level of rounding errors, for fields of 1 V/m.
  double least_square() const { return fields::least_square(outside_.k); }

  /// Weights of |change of x_iᵀ A x_j| in the relative changes of |F|² and of the accepted power [columns and
  /// dual waves, squared].
  Eigen::MatrixXd weights() const;
  fem::SurplusErrors test(const Eigen::MatrixXd& weights) const;
  /// The relative change of |F|², or its bar. @param bars changes of x_iᵀ A x_j, or their bars
  template <class Bars>
  auto bar(std::size_t i, const Bars& bars) const {
    return parts_[i].weight * bars(parts_[i].row, Eigen::Index(columns_[i]));
  }
  /// Relative change of |F|² over the accepted power: equal changes of field and power cancel. @param forms
  /// changes of x_iᵀ A x_j
  double change_of_gain(std::size_t i, const Eigen::MatrixXcd& forms) const;
  /// Changes of x_iᵀ A x_j as facets move to the surface, with their safety, and contributions of cells.
  /// @param shape of the mesh; may be null
  Eigen::MatrixXcd moved(const fem::ShapeVariant* shape, mesh::Pass* pass = nullptr) const;
  /// Errors of a solution on one mesh. @param shape of the mesh; may be null
  std::vector<fields::PatternError> errors(const fem::ShapeVariant* shape) const;

 private:
  struct Part {
    Eigen::Index row;
    double weight;
  };
  /// The far field of a column that is looked at.
  fields::Peak peak(const Solved& solved, std::size_t column, Look look) const;
  green::PlaneWave dual_wave(const fields::Peak& peak) const;
  bool tests_itself(std::size_t column, const fields::Peak& peak) const;
  bool has_ports() const { return scattering_.size() > 0; }
  /// 4jωμ0 times the incident power (fem/adaptive/surplus.hpp).
  Complex form_of_s() const { return fem::form_of_scattering(frequency_, job_.share()); }
  fem::PortPeak of_port(std::size_t i) const;
  double gain(std::size_t column, const fields::Peak& peak) const;
  Eigen::Map<const Eigen::MatrixXcd> x() const;

  TruncatedJob& job_;
  double frequency_;
  fields::Exterior outside_;
  std::vector<std::size_t> columns_;  // of each peak
  Eigen::MatrixXcd scattering_;       // of modes; empty for waves
  std::vector<fields::Peak> peaks_;
  std::vector<Part> parts_;  // of each peak, the row of its dual problem
  std::vector<Complex> x_;   // of all columns, then of the dual waves
};

}  // namespace curlew::fe_iiee
