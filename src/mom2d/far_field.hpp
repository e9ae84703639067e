// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Echo widths and total cross-sections.

#include "mom2d/solve.hpp"

namespace curlew::mom2d {

/// Far-field amplitude F: u_s -> -(j/4) sqrt(2/(pi k r)) exp(j pi/4 - jkr) F(phi).
/// @param phi [rad] observation angles
/// @returns [phi.size()]
std::vector<Complex> far_amplitude(const Solution& solution, std::size_t wave,
                                   const std::vector<double>& phi);

/// lim 2 pi r |u_s|^2/|u_i|^2 = |F|^2/(4k) [m].
std::vector<double> echo_width(const Solution& solution, std::size_t wave, const std::vector<double>& phi);

/// Widths [m] of one wave. Extinction is from the forward amplitude, -Im F/k; absorption from the power that
/// flows into the bodies through their contours; scattering from the integral of the echo width: three
/// independent numbers.
struct CrossSections {
  double scattering, absorption, extinction;
  /// |extinction - scattering - absorption|/extinction: deviation from the optical theorem.
  double imbalance;
};
CrossSections cross_sections(const Solution& solution, std::size_t wave);

}  // namespace curlew::mom2d
