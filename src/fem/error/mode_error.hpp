// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of resonant frequencies: solved_again.hpp with the modes' frequencies as quantities. Modes of
// two solutions are paired in ascending order of their frequency.

#include "fem/eigen/cavity.hpp"
#include "fem/error/solved_again.hpp"

namespace curlew::fem {

/// @param space of the modes @param modes found with `options`
/// @returns [modes] bar of the frequency's real part [Hz]
/// @throws what cavity_modes throws
std::vector<double> mode_errors(const NedelecSpace& space, const Model& model, const CavityOptions& options,
                                const std::vector<CavityMode>& modes);

}  // namespace curlew::fem
