// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A MixedPotentialSystem as a fill of the corrected operator: unknowns give currents and charges on elements,
// these give those at points; stored corrections are blocks of pairs of elements.

#include "base/timer.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/operator/operator_fill.hpp"

namespace curlew::ie {

/// @param system kept by reference @param set_up takes the seconds of its stages
/// @throws ResourceError if the corrections do not fit
std::unique_ptr<HostFill> make_mixed_potential_fill(const MixedPotentialSystem& system,
                                                    const Integration& integration, Stages& set_up);
/// The same on a device, where the corrections are made too. For builds with CUDA.
std::unique_ptr<DeviceFill> make_device_mixed_potential_fill(const MixedPotentialSystem& system,
                                                             const Integration& integration, Stages& set_up);
}  // namespace curlew::ie
