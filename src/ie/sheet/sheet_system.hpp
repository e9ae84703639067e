// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The EFIE on conducting surfaces and thin films in the form for accelerated products: on RWG functions,
//   <f, Zs J> + j k eta <f, G J> + eta/(jk) <div f, G div J> = <f, E_inc>.
// A film much thinner than its skin depth and the wavelength is a sheet of impedance Zs = 1/(j w eps0 (eps_r
// - 1) t). Source: Li, Chang and Lomakin, chapter 19, equations (2) and (4); Harrington and Mautz (1975),
// IEEE Trans. Antennas Propag. 23, 531 (sheets).

#include <span>

#include "ie/mixed_potential/far_field_error.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/surface/rwg.hpp"

namespace curlew::ie {

/// Elements are the triangles of the mesh. The matrix is complex symmetric; unknowns are current densities
/// [A/m].
/// @param impedance [triangles] sheet impedance Zs [ohm], 0 on a perfect conductor; Re >= 0
/// @param k         wavenumber of the vacuum [1/m], > 0
/// @throws InputError for an active impedance or k <= 0
MixedPotentialSystem make_sheet_system(const SurfaceMesh& mesh, const RwgSpace& space,
                                       std::span<const Complex> impedance, double k);

/// Zs of a film. @param thickness [m], > 0 @param epsilon_r of its material, != 1 @param k wavenumber outside
/// [1/m]
Complex film_impedance(double thickness, Complex epsilon_r, double k);

/// From the jumps of the currents (ie/surface/current_jumps.hpp); `shape` as for a conductor, whose field
/// changes by k²/4π int gap (eta² J·J' - E_n E_n') dS. @param gaps [nodes of the mesh] displacement after
/// which facets lie at the mean place of the surface [m] @param x [unknowns]
FarFieldError far_field_error(const SurfaceMesh& mesh, const RwgSpace& space,
                              std::span<const Complex> impedance, double k,
                              const std::vector<Vec3<double>>& gaps, const Complex* x);

/// Power absorbed by the sheets [W], 1/2 Re int Zs |J|^2 dS. @param x [unknowns]
double absorbed_power(const MixedPotentialSystem& system, const Complex* x);

}  // namespace curlew::ie
