// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GMRES over factors with few digits, as the step of iterative refinement (direct/refinement.hpp): it
// converges where only some directions of the solution are beyond their precision, as near a resonance.

#include "linalg/direct/refinement.hpp"

namespace curlew::linalg {

/// The same system, whose `substitute` iterates over that of `system` to a few digits or as many as it can.
/// @param system outlives what is returned
RefinedSystem<Complex> iterate_over_factors(const RefinedSystem<Complex>& system);

}  // namespace curlew::linalg
