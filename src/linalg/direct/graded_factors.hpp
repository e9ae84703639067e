// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Factors in the cheapest sufficient number type: real if a complex matrix has no imaginary part (half the
// memory, a third to half of the time), in single precision if refinement recovers the accuracy (half of both
// again).

#include <memory>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

/// A solver for the CPU that begins with the number type of its options. From the first matrix with an
/// imaginary part on it factors in complex numbers, and in double precision once a pivot vanishes or more
/// accuracy is required; each change needs a new analysis and is logged. @throws as make_direct_solver
std::unique_ptr<DirectSolver<Complex>> make_graded_factors(const DirectOptions& options);

}  // namespace curlew::linalg
