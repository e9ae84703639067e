// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Permittivities that depend on frequency, exp(+jwt): Im < 0 is loss.
// Source: Balanis (2012), Advanced Engineering Electromagnetics, section 2.9; Taflove and Hagness (2005),
// ch. 9.

#include "base/constants.hpp"
#include "base/types.hpp"

namespace curlew::ie {

/// epsilon_infinity - wp^2/(w^2 - j w gamma): free electrons.
/// @param frequency, plasma_frequency, collision_frequency [Hz]: wp, gamma over 2 pi; frequency > 0
inline Complex drude_permittivity(double frequency, double epsilon_infinity, double plasma_frequency,
                                  double collision_frequency) {
  return epsilon_infinity -
         plasma_frequency * plasma_frequency / (frequency * Complex(frequency, -collision_frequency));
}

/// epsilon_infinity + delta f0^2/(f0^2 - f^2 + j f gamma): one bound resonance.
/// @param frequency, resonance, damping [Hz]
inline Complex lorentz_permittivity(double frequency, double epsilon_infinity, double delta, double resonance,
                                    double damping) {
  return epsilon_infinity + delta * resonance * resonance /
                                Complex(resonance * resonance - frequency * frequency, frequency * damping);
}

/// epsilon_infinity + delta/(1 + j w tau): one relaxation. @param relaxation_time tau [s]
inline Complex debye_permittivity(double frequency, double epsilon_infinity, double delta,
                                  double relaxation_time) {
  return epsilon_infinity + delta / Complex(1, 2 * pi * frequency * relaxation_time);
}

}  // namespace curlew::ie
