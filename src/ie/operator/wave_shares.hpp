// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Krylov loops over groups of right-hand sides: all one after the other, or side by side on several devices.

#include "ie/operator/solution_groups.hpp"
#include "ie/operator/solve.hpp"

namespace curlew::ie {

/// Neighbours in memory. @param b [begins.back(), unknowns] right-hand sides, in whose place solutions come
/// @param begins first number of each group, and their end
SolutionGroups groups_in_place(Complex* b, Index unknowns, const std::vector<Index>& begins);

/// One group after the other, on the current device and those behind it (options.gpus), or the CPU.
SolveReport solve_in_turn(const IntegralEquation& equation, const SolveOptions& options,
                          const SolutionGroups& groups);

/// Each device takes the next group when it is free, with a thread and an operator of its own. Ends when one
/// fails.
/// @param devices numbers of CUDA devices, where one may stand twice; on the CPU their number counts alone
/// @throws what the first of the devices that failed has thrown
SolveReport solve_side_by_side(const IntegralEquation& equation, const SolveOptions& options,
                               const std::vector<int>& devices, const SolutionGroups& groups);

}  // namespace curlew::ie
