// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Krylov loops over right-hand sides: all one after the other, or shares of them side by side.

#include "ie/operator/solve.hpp"

namespace curlew::ie {

/// One after the other, on the current device and those behind it (options.gpus), or the CPU.
/// @param[in,out] b [num_rhs, unknowns] right-hand sides in, solutions out
SolveReport solve_in_turn(const IntegralEquation& equation, const SolveOptions& options, Complex* b,
                          Index num_rhs);

/// A share of neighbours on each device: a thread, an operator and starts of its own. Ends when one fails.
/// @param devices numbers of CUDA devices, where one may stand twice; on the CPU their number counts alone
/// @throws what the first of the shares that failed has thrown
SolveReport solve_side_by_side(const IntegralEquation& equation, const SolveOptions& options,
                               const std::vector<int>& devices, Complex* b, Index num_rhs);

}  // namespace curlew::ie
