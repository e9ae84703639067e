// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The total field at points, inside and outside the bodies.

#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// Ez (TM) or Hz (TE) of a unit wave at points; 0 inside conductors. Cells near a point are integrated
/// adaptively, so that points may lie close to a contour; those on one get the value on the side of its
/// normal, outside of bodies.
/// @param points [n]
/// @param[out] regions [n] region number of each point, -1 inside conductors; may be null
std::vector<Complex> total_field(const Solution& solution, std::size_t wave,
                                 const std::vector<Point2>& points, std::vector<int>* regions = nullptr);

}  // namespace curlew::mom2d
