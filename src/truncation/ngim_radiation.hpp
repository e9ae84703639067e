// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// E and curl E of surface currents in O(N log N) operations: the sums of fields::RadiationOperator by the
// nonuniform grid interpolation method (ngim/plan.hpp, sources that are currents).

#include <memory>
#include <span>

#include "fields/radiation.hpp"
#include "ngim/plan.hpp"

namespace curlew::truncation {

class NgimRadiation {
 public:
  /// @param observers [m] points [m]
  /// @param tolerance of the fields' error relative to their largest value, for E and curl E each
  /// @param leaf_size most points of a box that is not divided; 0: chosen by the cost
  /// @throws as fields::RadiationOperator; InputError for a tolerance that double precision cannot reach;
  ///         NumericalError if the measured error stays above it
  NgimRadiation(const fields::SurfacePoints& sources, std::span<const Vec3<double>> observers,
                const fields::Exterior& exterior, double tolerance, Device device = Device::cpu,
                Offset leaf_size = 0);

  /// Evaluates the right-hand sides in sequence.
  fields::NearFields apply(const fields::SurfaceCurrents& currents) const;

  Offset num_sources() const { return plan_->num_sources(); }
  Offset num_observers() const { return plan_->num_observers(); }
  /// The error at sampled observers of the fields of two sets of currents, at most the tolerance: twice that
  /// of plane waves' and four thirds of that of random ones.
  double measured_error() const { return measured_error_; }
  const ngim::Plan& plan() const { return *plan_; }

 private:
  fields::Exterior exterior_;
  std::vector<double> weights_;  ///< of the sources, over 4 pi
  std::unique_ptr<ngim::Plan> plan_;
  double measured_error_ = 0;
};

}  // namespace curlew::truncation
