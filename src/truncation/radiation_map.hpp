// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The field of currents on S' at the points of S, by all pairs or by NGIM.

#include <functional>

#include "base/process_group.hpp"
#include "fields/radiation.hpp"
#include "truncation/radiation_cost.hpp"

namespace curlew::truncation {

enum class RadiationMethod { automatic, direct, ngim };

/// Fields of all right-hand sides at the observers, followed, if requested, by those of their conjugates: see
/// fields::RadiationOperator::apply.
using RadiationMap =
    std::function<fields::NearFields(const fields::SurfaceCurrents& currents, bool conjugates)>;

/// Expected number of evaluations and right-hand sides of a map.
struct RadiationUse {
  Index columns = 1;
  int evaluations = 1;
};

/// Precision of all-pairs sums for an iteration with this tolerance: `mixed` if its error is below a
/// twentieth of the tolerance.
fields::PairPrecision pair_precision_for(double tolerance);

/// A method for evaluating the map.
struct RadiationChoice {
  bool by_ngim = false;
  fields::Exterior exterior;
  double tolerance = 0;  ///< of NGIM
  Device device = Device::cpu;
  fields::PairPrecision precision = fields::PairPrecision::exact;
};
/// On this process only. @throws as RadiationOperator and NgimRadiation
RadiationMap make_chosen_radiation(const RadiationChoice& choice, const fields::SurfacePoints& sources,
                                   std::span<const Vec3<double>> observers);

/// On the CPU `processes` share the observers (shared_radiation.hpp); null: this one alone.
/// @param tolerance of NGIM, relative to the largest field; all pairs have the accuracy of their precision
/// @param costs by which `automatic` chooses NGIM if cheaper; it falls back to all pairs if NGIM's memory
/// does not suffice or its accuracy is not reached
/// @throws as RadiationOperator and NgimRadiation
RadiationMap make_radiation(RadiationMethod method, const fields::SurfacePoints& sources,
                            std::span<const Vec3<double>> observers, const fields::Exterior& exterior,
                            double tolerance, Device device, const RadiationUse& use,
                            const RadiationCosts& costs,
                            fields::PairPrecision precision = fields::PairPrecision::exact,
                            const ProcessGroup* processes = nullptr);

}  // namespace curlew::truncation
