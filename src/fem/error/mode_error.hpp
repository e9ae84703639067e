// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of resonant frequencies and of Q: solved_again.hpp with the modes' frequencies as quantities.
// Modes of two solutions are paired in order of their frequency, and changes that are small by chance are
// replaced by lower bounds (modes_again.hpp).

#include "fem/eigen/cavity.hpp"
#include "fem/error/solved_again.hpp"

namespace curlew::fem {

/// Bars of the real part of a frequency [Hz] and of 1/Q.
struct ModeError {
  double whole;                        ///< elements and facets
  double elements;                     ///< error of the elements only
  double loss = 0, loss_elements = 0;  ///< the same for 1/Q; the bar of Q is Q² times it
};

/// @param space of the modes @param modes found with `options`
/// @param shape of the mesh; may be null
/// @throws what cavity_modes throws
std::vector<ModeError> mode_errors(const NedelecSpace& space, const Model& model,
                                   const CavityOptions& options, const std::vector<CavityMode>& modes,
                                   const ShapeVariant* shape);

}  // namespace curlew::fem
