// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Physical constants, SI. Source: CODATA 2018 (c exact; mu0 and eps0 consistent with it to rounding).

#include <numbers>

namespace curlew {

inline constexpr double pi = std::numbers::pi;
inline constexpr double speed_of_light = 299792458.0;            // m/s, exact
inline constexpr double vacuum_permeability = 1.25663706212e-6;  // H/m
inline constexpr double vacuum_permittivity =                    // F/m
    1.0 / (vacuum_permeability * speed_of_light * speed_of_light);
inline constexpr double vacuum_impedance = vacuum_permeability * speed_of_light;  // ohm

}  // namespace curlew
