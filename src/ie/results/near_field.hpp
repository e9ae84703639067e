// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// E and H of solved currents at any points. With A = int J G, rho = div J, in a region of k and eta:
//   E = -jk eta (A + grad int rho G / k^2) - curl int M G,
//   H = curl A - jk/eta (int M G + grad int div M G / k^2).
// Source: Balanis (2012), Advanced Engineering Electromagnetics, section 6.6, by continuity of charge.

#include <span>

#include "base/device.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/surface/system.hpp"
#include "io/near_field_files.hpp"

namespace curlew::ie {

/// The scene's region of every point; -1 inside conductors and behind impedance walls, where the field is 0.
/// Not for points on a surface.
std::vector<int> regions_of(const System& system, std::span<const Vec3<double>> points);

/// Field radiated by the surface currents: outside the scattered field, inside bodies the total one.
/// @param x [unknowns] @param regions as from regions_of: fields are 0 where it is -1
io::NearFieldValues radiated_field(const System& system, const Complex* x,
                                   std::span<const Vec3<double>> points, std::span<const int> regions,
                                   Device device = Device::cpu);

/// The scattered field of the volume and sheet equations, also inside bodies.
io::NearFieldValues radiated_field(const MixedPotentialSystem& system, const Complex* x,
                                   std::span<const Vec3<double>> points, Device device = Device::cpu);

}  // namespace curlew::ie
