// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plane waves of ie-solve: as in the config and as the library takes them.

#include <string>
#include <vector>

#include "green/plane_wave.hpp"
#include "io/plane_waves.hpp"

namespace curlew::ie {

/// A plane wave of 1 V/m with the angles of the config.
struct NamedWave : io::PlaneWaveRequest {
  green::ArrivingWave wave;

  std::string label() const;  ///< for tables of fields
};

/// All waves of an [excitation] of type "plane_wave". @throws InputError with file and line
std::vector<NamedWave> read_waves(const io::Config& excitation);

}  // namespace curlew::ie
