// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of resonant frequencies: solved_again.hpp with the modes' frequencies as quantities. Modes of
// two solutions are paired in ascending order of their frequency.

#include "fem/eigen/cavity.hpp"
#include "fem/error/solved_again.hpp"

namespace curlew::fem {

/// Of the real part of a frequency [Hz].
struct ModeError {
  double whole;     ///< elements and facets
  double elements;  ///< their part
};

/// @param space of the modes @param modes found with `options`
/// @param shape of the mesh; may be null
/// @throws what cavity_modes throws
std::vector<ModeError> mode_errors(const NedelecSpace& space, const Model& model,
                                   const CavityOptions& options, const std::vector<CavityMode>& modes,
                                   const ShapeVariant* shape);

}  // namespace curlew::fem
