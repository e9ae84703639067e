// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The power in the far field of surface currents. Currents that hold incoming fields too (of a layer that
// reflects) radiate the outgoing ones alone, so this power and the flux through the surface agree only where
// nothing comes back.
// Source: Harrington (2001), Time-Harmonic Electromagnetic Fields, section 3-5 (equivalence principle).

#include <optional>
#include <vector>

#include "base/device.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::fields {

/// 1/2 Re of the flux through the sphere at infinity [W], by right-hand side: a product rule of Gauss and
/// trapezia that integrates all spherical waves the surface can send.
/// @param points, currents with all images
/// @return nothing where directions times points exceed `most_pairs`
std::optional<std::vector<double>> far_power(const SurfacePoints& points, const SurfaceCurrents& currents,
                                             const Exterior& exterior, double most_pairs = 1e8,
                                             Device device = Device::cpu);

}  // namespace curlew::fields
