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

/// Relative errors of the sums over points, first and second. Errors of potentials largely cancel in the
/// power: on spheres of 5 to 19 wavelengths the first leaves less than 1e-4 (docs/measured/ie.md), as the
/// rule over the points does, and it is within single precision.
inline constexpr double reaction_tolerance = 1e-3, finer_reaction_tolerance = 1e-5;
/// Where the power is a smaller part than this of what its terms could be together (bodies below the
/// wavelength, resonant antennas) the second is taken. Spheres of wavelengths have 0.1 to 0.2.
inline constexpr double least_active_part = 0.01;

/// @param sources with charges and without magnetic currents @param x [count, unknowns] @return [count] [W]
std::vector<double> reaction_power(const RadiatingPoints& sources, const Complex* x, Index count,
                                   Device device);

}  // namespace curlew::ie
