// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The total field at points, inside and outside the bodies.

#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// Ez (TM) or Hz (TE) of a unit wave at points; 0 inside conductors. Cells near a point are integrated
/// adaptively, so that points may lie close to a contour; points on one get the value on the side of its
/// normal, outside of bodies.
/// @param points [n]
/// @param[out] regions [n] region number of each point, -1 inside conductors; may be null
std::vector<Complex> total_field(const Solution& solution, std::size_t wave,
                                 const std::vector<Point2>& points, std::vector<int>* regions = nullptr);

/// Largest total field (of a unit wave and the currents) at points inside closed conductors, zero for exact
/// currents. At an interior resonance EFIE and MFIE do not determine it, and their currents are wrong
/// outside, too. 0 without a closed conductor. Source: Colton and Kress (2013), Inverse Acoustic and
/// Electromagnetic Scattering Theory, section 3.2.
double field_in_conductors(const Solution& solution, std::size_t wave);

}  // namespace curlew::mom2d
