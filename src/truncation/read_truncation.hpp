// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// [truncation], [excitation] and [output] of a config.

#include <string>
#include <vector>

#include "fields/far_field.hpp"
#include "io/config.hpp"
#include "io/pattern_files.hpp"
#include "io/plane_waves.hpp"
#include "truncation/truncated_problem.hpp"

namespace curlew::truncation {

/// [truncation] outer, inner, symmetry, tolerance, max_iterations, acceleration;
/// surround_arguments reads the other keys.
/// @throws InputError with file and line
TruncationOptions read_truncation(const io::Config& config);

/// Arguments of em-mesh if truncation.distance requests surfaces around truncation.body, whose volumes with a
/// [[boundary]] and no [[material]] are metal; empty if the mesh has its surfaces. Wavelengths are those of
/// vacuum at the highest frequency.
std::vector<std::string> surround_arguments(const io::Config& config);

/// A plane wave of a config.
struct ArrivingWave : io::PlaneWaveRequest {
  fields::Direction source() const { return {theta_deg * pi / 180, phi_deg * pi / 180}; }
  green::PlaneWave at(double k) const {
    return green::arriving_wave(theta_deg * pi / 180, phi_deg * pi / 180, angle, k);
  }
};

/// All combinations of theta, phi and polarization of [excitation]; empty without that table, or if it holds
/// dipoles or currents (fem::read_excitations).
std::vector<ArrivingWave> read_waves(const io::Config& config);

/// [output] far_field and monostatic.
struct FarFieldRequest {
  std::vector<fields::Direction> directions;
  bool monostatic = false;     ///< each wave is observed only in its direction of incidence
  io::PatternFormats formats;  ///< of further pattern files
};
FarFieldRequest read_far_field_request(const io::Config& config);

}  // namespace curlew::truncation
