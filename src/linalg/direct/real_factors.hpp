// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Factors in real numbers where the values of a complex matrix have no imaginary part: half the memory, a
// third to half of the time. Right-hand sides and solutions stay complex; each is two real ones, of which
// those that vanish are not solved.

#include <memory>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

/// A solver for the CPU whose matrices are expected to be real. The first that is not is factored in complex
/// numbers, after an analysis of its own, and so are those that follow.
/// @throws what make_direct_solver throws
std::unique_ptr<DirectSolver<Complex>> make_real_factors(const DirectOptions& options);

}  // namespace curlew::linalg
