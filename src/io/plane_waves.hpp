// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plane waves of an [excitation].

#include <string>
#include <vector>

#include "io/config.hpp"

namespace curlew::io {

struct PlaneWaveRequest {
  double theta_deg, phi_deg;  ///< direction of incidence
  std::string polarization;   ///< "theta", "phi", or an angle in degrees
  double angle;               ///< of E from theta^ towards phi^ [rad]
};

/// All combinations of `theta`, `phi` and `polarization` ("theta", "phi" or degrees), each a value or a list,
/// of angles also a range [start, stop, points] (angle_list).
/// @throws InputError with file and line
std::vector<PlaneWaveRequest> read_plane_waves(const Config& excitation);

}  // namespace curlew::io
