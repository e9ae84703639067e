// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The power in the far field of surface currents. Currents that include incoming fields (of a reflecting
// layer) radiate only the outgoing ones, so this power and the flux through the surface agree only without
// reflections. Source: Harrington (2001), Time-Harmonic Electromagnetic Fields, section 3-5 (equivalence
// principle).

#include <optional>
#include <vector>

#include "base/device.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::fields {

/// 1/2 Re of the flux through the sphere at infinity [W], by right-hand side: a product rule (Gauss and
/// trapezoidal) that integrates all spherical waves that the surface can radiate.
/// @param points, currents with all images
/// @return empty if directions times points exceed `most_pairs`
std::optional<std::vector<double>> far_power(const SurfacePoints& points, const SurfaceCurrents& currents,
                                             const Exterior& exterior, double most_pairs = 1e8,
                                             Device device = Device::cpu);

}  // namespace curlew::fields
