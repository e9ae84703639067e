// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Radiated power of currents by the reaction with their own field: one fast sum instead of integration over
// the sphere. With moments m_p of J and q_p of div J at points p,
//   P = k eta/(8 pi) sum_pq [m_p* . m_q - q_p* q_q/k^2] sin(k R_pq)/R_pq,
// which is -1/2 Re int E . J* of the field E of J: only the sine of exp(-jkR)/R contributes. It is not
// singular, so that no near corrections are needed. Source: Harrington (2001), Time-Harmonic Electromagnetic
// Fields, sections 1-10 and 3-8.

#include "base/device.hpp"
#include "ie/results/radiating_points.hpp"

namespace curlew::ie {

/// Tolerances of the sums over points, first and second. Errors of potentials largely cancel in the power: on
/// spheres of 5 to 19 wavelengths the first gives less than 1e-4 (docs/measured/ie.md), like the quadrature
/// rule, and single precision suffices for it.
inline constexpr double reaction_tolerance = 1e-3, finer_reaction_tolerance = 1e-5;
/// If the power is less than this fraction of the sum of moduli of its terms (bodies smaller than the
/// wavelength, resonant antennas), the second tolerance is used. Spheres of several wavelengths have 0.1 to
/// 0.2.
inline constexpr double least_active_part = 0.01;

/// @param sources with charges and without magnetic currents @param x [count, unknowns] @return [count] [W]
std::vector<double> reaction_power(const RadiatingPoints& sources, const Complex* x, Index count,
                                   Device device);

}  // namespace curlew::ie
