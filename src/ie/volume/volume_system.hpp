// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The volume integral equation for dielectric bodies in vacuum, in the unknown d = D/eps0 [V/m] on SWG
// functions:
//   d/eps_r - k^2 int G kappa d dV' - grad int G div'(kappa d) dV' = E_inc,   kappa = 1 - 1/eps_r,
// equation (1) of Li, Chang and Lomakin, chapter 19, tested with kappa f: the functions of the polarisation
// current. The matrix is then complex symmetric, and reciprocity holds to rounding. Where kappa jumps, the
// divergence is a sheet of charge on the face, of trial and test functions alike.

#include <functional>
#include <span>

#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/volume/swg.hpp"

namespace curlew::ie {

/// A field at a point [V/m].
using Field = std::function<Vec3<Complex>(Vec3<double>)>;

/// Elements 0 ... num_cells - 1 are the cells of the basis, the others charge sheets.
/// @param epsilon_r [num_cells] of every cell of the basis, != 0 and != 1; Im < 0 is loss
/// @param k         wavenumber of the vacuum [1/m], > 0
/// @throws InputError for a permittivity of 0 or 1 or of a growing medium, or k <= 0
MixedPotentialSystem make_volume_system(const SwgBasis& basis, std::span<const Complex> epsilon_r, double k);

/// <kappa f_m, E_inc> [unknowns], by a rule exact to degree 5 on every element.
std::vector<Complex> test_field(const MixedPotentialSystem& system, const Field& incident);

/// Current densities at the centres of the elements, J of chapter 19's kappa d; [elements]
std::vector<Vec3<Complex>> centre_currents(const MixedPotentialSystem& system, const Complex* x);

/// E at the centres of the cells [V/m], [num_cells].
std::vector<Vec3<Complex>> cell_fields(const MixedPotentialSystem& system, std::span<const Complex> epsilon_r,
                                       const Complex* x);

/// k int (-Im eps_r) |E|^2 dV [V^2]: divided by |E_inc|^2 the absorption cross-section [m^2].
double absorption(const SwgBasis& basis, std::span<const Complex> epsilon_r, double k, const Complex* x);

}  // namespace curlew::ie
