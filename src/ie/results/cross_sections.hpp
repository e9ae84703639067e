// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Results from unknowns: currents at points, far field, powers.

#include <span>
#include <vector>

#include "fields/far_field.hpp"
#include "fields/surface_currents.hpp"
#include "green/plane_wave.hpp"
#include "ie/results/far_fields.hpp"

namespace curlew::ie {

/// Points on all surfaces that bound the vacuum outside, normals out of the bodies.
fields::SurfacePoints outer_points(const System& system, int degree = 4);
/// J and M at outer_points. @param x [num_rhs, unknowns] @param degree the same as for the points
fields::SurfaceCurrents outer_currents(const System& system, const Complex* x, Index num_rhs, int degree = 4);

/// J and M at the centroid of every triangle, [triangles].
struct CentroidCurrents {
  std::vector<Vec3<Complex>> electric, magnetic;
};
CentroidCurrents centroid_currents(const System& system, const Complex* x);

/// Direction in which a wave travels.
fields::Direction forward(const green::ArrivingWave& wave);

/// Cross-sections [m^2] for one plane wave of 1 V/m.
struct CrossSections {
  double scattering = 0;  ///< the far field's power over the sphere
  double absorption = 0;  ///< the power that flows into the surfaces
  double extinction = 0;  ///< by the forward amplitude (optical theorem)
  /// |extinction - scattering - absorption| / extinction: error of discretisation and solver.
  double imbalance() const;
};
/// Cross-sections of each wave. Conductors absorb nothing: there extinction is the reaction of the incident
/// field with the currents (equal to the forward amplitude), scattering that of the currents' own field, and
/// their difference the residual tangential E, tested with the currents.
/// @param far of the system @param x [waves, unknowns]
std::vector<CrossSections> cross_sections(const System& system, const FarFields& far, const Complex* x,
                                          std::span<const green::ArrivingWave> waves);
inline std::vector<CrossSections> cross_sections(const System& system, const Complex* x,
                                                 std::span<const green::ArrivingWave> waves) {
  return cross_sections(system, FarFields(system), x, waves);
}
/// The power that flows into the surfaces by the fields on them, divided by the power density of a wave of 1
/// V/m [m^2], [count].
/// @param x [count, unknowns]
std::vector<double> absorption(const System& system, const Complex* x, Index count);
/// Cross-sections of currents whose absorption is known; extinction by the forward far field.
/// @param x [waves, unknowns] @param absorption [waves] [m^2]
std::vector<CrossSections> cross_sections(const FarFields& far, const Complex* x,
                                          std::span<const green::ArrivingWave> waves,
                                          std::span<const double> absorption);
/// Only the extinction [m^2], which needs one direction.
double extinction(const System& system, const Complex* x, const green::ArrivingWave& wave);

}  // namespace curlew::ie
