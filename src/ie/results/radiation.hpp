// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Far field of the currents of a MixedPotentialSystem, and the cross-sections that follow from it.

#include "ie/mixed_potential/mixed_potential.hpp"

namespace curlew::ie {

/// Currents at points with their weights: all that radiates.
struct RadiatingPoints {
  std::vector<Vec3<double>> points;    ///< [m]
  std::vector<Vec3<Complex>> current;  ///< J times weight
};
/// @param degree of the rule on every element
RadiatingPoints radiating_points(const MixedPotentialSystem& system, const Complex* x, int degree = 3);

/// r exp(jkr) E for r -> infinity in the unit direction u: c (1 - u u.) int J exp(jk u.r') with c = -a, the
/// negative of the vector potential's factor in the equation: k^2/(4 pi) for kappa d, -jk eta/(4 pi) for a
/// current [A/m].
Vec3<Complex> far_field(const RadiatingPoints& currents, double k, Complex c, Vec3<double> u);
/// The same in many directions, which the threads share.
std::vector<Vec3<Complex>> far_fields(const RadiatingPoints& currents, double k, Complex c,
                                      const std::vector<Vec3<double>>& directions);

struct ScatteringSections {
  double scattering = 0, absorption = 0, extinction = 0;  ///< [m^2]
  /// |extinction - scattering - absorption| / extinction.
  double imbalance() const;
};

/// Scattering from the far field over all directions, extinction by the optical theorem.
/// Source: Bohren and Huffman (1983), section 3.4, turned to exp(+jwt).
/// @param direction of travel of the incident wave, unit @param amplitude of it at the origin [V/m]
/// @param absorbed   k int (-Im eps_r)|E|^2 dV [V^2]
ScatteringSections scattering_sections(const RadiatingPoints& currents, double k, Complex c,
                                       Vec3<double> direction, Vec3<Complex> amplitude, double absorbed);

}  // namespace curlew::ie
