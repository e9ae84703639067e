// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Interior resonances, where EFIE and MFIE of closed conductors may fail: those of the cavity with the same
// walls, filled with the medium around. Their solutions are not unique there.
// Source: Chew, Tong, Hu (2009), Integral Equation Methods for Electromagnetic and Elastic Waves, 1.3.

#include <optional>
#include <string>

#include "ie/surface/problem.hpp"

namespace curlew::ie {

struct InteriorResonance {
  std::string surface;   ///< of the conductor
  double frequency = 0;  ///< [Hz] estimate of its lowest resonance
};

/// Below the estimate by this factor there is no resonance: the estimate is good to 10 %.
constexpr double resonance_margin = 0.9;

/// The lowest resonance of all closed perfect conductors that an equation without the other one stands on, as
/// an estimate. Convex bodies: that of a box, k = pi sqrt(1/a^2 + 1/b^2) with its two longest sides, times
/// (box/volume)^(1/3) of the bounding box. Exact for boxes along the axes; sphere: k r = 2.756 instead
/// of 2.744; long circular cylinder: 8 % low. Bodies with dents (beams, bodies with arms), whose modes bend
/// with the metal and lie lower: no more than that of the body unfolded, a plate of side s and width S/2s, S
/// the area of its walls. It is a lower bound where the metal is equally thick everywhere: the lowest
/// frequency of a network of strips is no less than that of one strip of their common length. Source: Nicaise
/// (1987), Bull. Sci. Math. 111, 401. Thick parts joined by a thin web can resonate below. Nothing for the
/// CFIE.
std::optional<InteriorResonance> lowest_interior_resonance(const Problem& problem, const Scene& scene);

}  // namespace curlew::ie
