// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Krylov loops over groups of right-hand sides: in sequence, or in parallel on several devices.

#include "ie/operator/solution_groups.hpp"
#include "ie/operator/solve.hpp"

namespace curlew::ie {

/// Groups of right-hand sides that are contiguous in memory. @param b [begins.back(), unknowns] right-hand
/// sides, replaced by solutions @param begins first index of each group, and the end
SolutionGroups groups_in_place(Complex* b, Index unknowns, const std::vector<Index>& begins);

/// Solves groups in sequence, on the current device and following ones (options.gpus), or the CPU.
SolveReport solve_in_turn(const IntegralEquation& equation, const SolveOptions& options,
                          const SolutionGroups& groups);

/// Each device, with its own thread and operator, takes the next group when it is free. Ends when one fails.
/// @param devices numbers of CUDA devices, possibly repeated; on the CPU only their count matters @throws the
/// exception of the first failed device
SolveReport solve_side_by_side(const IntegralEquation& equation, const SolveOptions& options,
                               const std::vector<int>& devices, const SolutionGroups& groups);

}  // namespace curlew::ie
