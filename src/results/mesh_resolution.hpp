// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Mesh size relative to the wavelength, reported by every program.

#include "run/run.hpp"

namespace curlew::results {

/// The edge of a mesh that is longest in wavelengths of its medium.
struct LongestEdge {
  double frequency = 0;    ///< [Hz]
  double length = 0;       ///< [m]
  double wavelengths = 0;  ///< of the medium
};

/// Writes it to the summary.
/// @throws InputError above 10 wavelengths, which indicates a wrong unit
void state_resolution(const LongestEdge& edge, run::Run& run);

}  // namespace curlew::results
