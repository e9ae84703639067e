// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Factors of the cheapest numbers that serve: real where the values of a complex matrix have no imaginary
// part (half the memory, a third to half of the time), in single precision where refinement makes up for it
// (half of both again).

#include <memory>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

/// A solver for the CPU that begins with the numbers of its options. From the first matrix with an imaginary
/// part on it factors in complex numbers, and in double precision once a pivot vanishes or more digits are
/// required; each after an analysis of its own and with a line in the log.
/// @throws what make_direct_solver throws
std::unique_ptr<DirectSolver<Complex>> make_graded_factors(const DirectOptions& options);

}  // namespace curlew::linalg
