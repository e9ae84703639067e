// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Plane waves whose solutions give derivatives of cross-sections.
//
// The scattered amplitude in a direction and polarisation is a linear functional of the field, and by
// reciprocity its dual solution is that of a plane wave which arrives from there with that polarisation: of
// the wave itself in monostatic scattering. Source: Monk and Süli (1998), SIAM J. Numer. Anal. 36(1).

#include <array>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "fields/far_field.hpp"
#include "green/plane_wave.hpp"

namespace curlew::fields {

/// Components by theta^ and phi^ of a direction.
using Amplitudes = std::array<Complex, 2>;

/// Direction in which a wave's cross-section is differentiated.
struct Observation {
  std::size_t wave;  ///< from 0
  Direction direction;
  std::array<std::size_t, 2> duals;  ///< of the waves from there, polarised along theta^ and phi^
};

struct DualWaves {
  std::vector<green::ArrivingWave> added;  ///< in addition to the given ones
  std::vector<Observation> observations;
};

/// @param directions of each given wave
/// @throws InputError where more waves would be solved for than `most`
DualWaves dual_waves(std::span<const green::ArrivingWave> given,
                     std::span<const std::vector<Direction>> directions, std::size_t most = 64);

}  // namespace curlew::fields
