// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A MixedPotentialSystem as OperatorFill of the corrected operator: unknowns give currents and charges on
// elements, and these at points; stored corrections are blocks of pairs of elements.

#include "base/timer.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/operator/operator_fill.hpp"

namespace curlew::ie {

/// @param system stored by reference @param set_up receives the seconds of its stages
/// @throws ResourceError if the corrections do not fit
std::unique_ptr<HostFill> make_mixed_potential_fill(const MixedPotentialSystem& system,
                                                    const Integration& integration, Stages& set_up);
/// The same on a device, which also computes the corrections. For builds with CUDA.
std::unique_ptr<DeviceFill> make_device_mixed_potential_fill(const MixedPotentialSystem& system,
                                                             const Integration& integration, Stages& set_up);
}  // namespace curlew::ie
