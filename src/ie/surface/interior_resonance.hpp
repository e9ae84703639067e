// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interior resonances, where EFIE and MFIE of closed conductors may fail: those of the cavity with the same
// walls, filled with the surrounding medium. Their solutions are not unique there. Source: Chew, Tong, Hu
// (2009), Integral Equation Methods for Electromagnetic and Elastic Waves, 1.3.

#include <optional>
#include <string>

#include "ie/surface/problem.hpp"

namespace curlew::ie {

struct InteriorResonance {
  std::string surface;   ///< of the conductor
  double frequency = 0;  ///< [Hz] estimate of its lowest resonance
};

/// Below this factor times the estimate there is no resonance: the estimate is accurate to 10 %.
constexpr double resonance_margin = 0.9;

/// Estimate of the lowest interior resonance of all closed perfect conductors with the EFIE or MFIE only.
/// Convex bodies: that of a box, k = pi sqrt(1/a^2 + 1/b^2) with its two longest sides, times
/// (box/volume)^(1/3) of the bounding box. Exact for boxes along the axes; sphere: k r = 2.756 instead of
/// 2.744; long circular cylinder: 8 % low. Nonconvex bodies (beams, bodies with arms) have lower modes: at
/// most that of the unfolded body, a plate of side s and width S/2s, S the area of its walls. It is a lower
/// bound if the thickness is uniform: the lowest frequency of a network of strips is no less than that of one
/// strip of their common length. Source: Nicaise (1987), Bull. Sci. Math. 111, 401. Thick parts joined by a
/// thin web can resonate below. Empty for the CFIE.
std::optional<InteriorResonance> lowest_interior_resonance(const Problem& problem, const Scene& scene);

}  // namespace curlew::ie
