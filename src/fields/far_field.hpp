// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Far field of surface currents, and what is derived from it. E_theta, E_phi are E times r exp(jkr) [V].
//   E = -jk/(4 pi) sum exp(jk r^.r') [eta J + M x r^] w,   transverse part.
// Source: Balanis (2016), Antenna Theory, section 12.3, equations 12-10 and 12-12.

#include <cmath>
#include <span>
#include <vector>

#include "base/device.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::fields {

/// A direction: theta from +z, phi from +x [rad].
struct Direction {
  double theta = 0, phi = 0;

  Vec3<double> radial() const {
    return {std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  }
  Vec3<double> theta_unit() const {
    return {std::cos(theta) * std::cos(phi), std::cos(theta) * std::sin(phi), -std::sin(theta)};
  }
  Vec3<double> phi_unit() const { return {-std::sin(phi), std::cos(phi), 0}; }
};

struct FarField {
  Index count = 0;
  std::vector<Complex> e_theta;  ///< [count, directions] [V]
  std::vector<Complex> e_phi;    ///< [count, directions] [V]
};

/// J - u (u.J) + M/eta x u of the sums of currents times exp(jk u.r): E r exp(jkr) is -jk eta/(4 pi) times
/// it.
inline Vec3<Complex> radiation_vector(Vec3<double> u, Vec3<Complex> j, Vec3<Complex> m_over_eta) {
  j -= dot(u, j) * u;
  return j + cross(m_over_eta, u);
}

/// The far field by plane wave sums (plane_wave_sum.hpp), on the device if one is given.
/// @throws InputError if the currents do not belong to the points
FarField far_field(const SurfacePoints& points, const SurfaceCurrents& currents,
                   std::span<const Direction> directions, const Exterior& exterior,
                   Device device = Device::cpu);

/// Radiation intensity U = |E|^2 / (2 eta) [W/sr]; peak phasors.
double radiation_intensity(Complex e_theta, Complex e_phi, double impedance);
/// D = 4 pi U / P: directivity for the radiated power P [W], gain for the accepted, realised gain for the
/// incident one. Linear.
double directivity(Complex e_theta, Complex e_phi, double power, double impedance);
/// sigma = 4 pi |E|^2 / |E_inc|^2 [m^2] of one or both components.
double radar_cross_section(Complex e, double incident_amplitude);
/// Value in tables for linear polarisation, up to rounding errors.
inline constexpr double linear_axial_ratio_db = 100;
/// Axial ratio of the polarisation ellipse, major over minor axis [dB], 0 for circular,
/// linear_axial_ratio_db for linear and at most.
/// Source: Balanis (2016), equations 2-65 to 2-67.
double axial_ratio_db(Complex e_theta, Complex e_phi);

/// Components in the two circular polarisations; |right|^2 + |left|^2 = |E|^2. Right: E rotates with the
/// fingers of the right hand whose thumb points along the direction of propagation (IEEE Std 145), which
/// under exp(+jwt) is the unit vector (theta^ - j phi^)/sqrt 2.
struct CircularComponents {
  Complex right, left;
};
CircularComponents circular_components(Complex e_theta, Complex e_phi);

}  // namespace curlew::fields
