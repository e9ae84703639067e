// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The adaptive frequency sweep of a run: its full solutions, and its report.

#include <cstddef>

#include "io/frequency.hpp"
#include "linalg/sampling/sampled_solutions.hpp"
#include "run/run.hpp"

namespace curlew::job {

/// @param solved full solutions @param error greatest one found at the last full solutions; 0 if all are
/// solved
void state_sweep(std::size_t solved, std::size_t frequencies, double error, run::Run& run);

/// Adds full solutions until the model gives the others within the tolerance. If the sweep is a default and
/// misses it, each frequency must be solved (SampledSolutions::knows). @throws NumericalError if a tolerance
/// set in the config is not reached
void sample(linalg::SampledSolutions& between, const io::AdaptiveSweep& adaptive, std::size_t frequencies,
            run::Run& run);

}  // namespace curlew::job
