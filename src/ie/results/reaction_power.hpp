// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The power that currents radiate, by the reaction with their own field: one fast sum in place of a sphere of
// directions. With moments m_p of J and q_p of div J at points p,
//   P = k eta/(8 pi) sum_pq [m_p* . m_q - q_p* q_q/k^2] sin(k R_pq)/R_pq,
// which is -1/2 Re int E . J* of the field E of J: of exp(-jkR)/R the sine alone does work. Nothing in it is
// singular, so that neither near corrections nor the equation enter.
// Source: Harrington (2001), Time-Harmonic Electromagnetic Fields, sections 1-10 and 3-8.

#include "base/device.hpp"
#include "ie/results/radiating_points.hpp"

namespace curlew::ie {

/// Relative error of the sums over points. Below a few wavelengths the power is the small difference of
/// larger numbers: there the sphere of directions is short, and exact.
inline constexpr double reaction_tolerance = 1e-5;

/// @param sources with charges and without magnetic currents @param x [count, unknowns] @return [count] [W]
std::vector<double> reaction_power(const RadiatingPoints& sources, const Complex* x, Index count,
                                   Device device);

}  // namespace curlew::ie
