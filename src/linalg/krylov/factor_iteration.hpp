// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// GMRES preconditioned by factors of low accuracy, as the step of iterative refinement
// (direct/refinement.hpp): it converges if only some directions of the solution exceed their precision, as
// near a resonance.

#include "linalg/direct/refinement.hpp"

namespace curlew::linalg {

/// The same system with a `substitute` that iterates, preconditioned by that of `system`, to a few digits if
/// possible. @param system must outlive the result
RefinedSystem<Complex> iterate_over_factors(const RefinedSystem<Complex>& system);

}  // namespace curlew::linalg
