// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The adaptive frequency sweep of a run: its full solutions, and its report.

#include <cstddef>
#include <optional>

#include "io/frequency.hpp"
#include "linalg/sampling/sampled_solutions.hpp"
#include "run/run.hpp"

namespace curlew::job {

/// @param solved full solutions @param error greatest one found at the last full solutions; 0 if all are
/// solved
void state_sweep(std::size_t solved, std::size_t frequencies, double error, run::Run& run);

/// Reports the memory of full solutions that wait for the others. @param values of one
void plan_samples(const std::optional<io::AdaptiveSweep>& adaptive, std::size_t frequencies,
                  std::size_t values, run::Run& run);

/// Solves frequencies in full until the model gives the others. If a default sweep misses its tolerance,
/// every frequency must be solved: see SampledSolutions::knows.
/// @throws NumericalError if a tolerance set by the user is not reached
void sample(linalg::SampledSolutions& between, const io::AdaptiveSweep& adaptive, std::size_t frequencies,
            run::Run& run);

}  // namespace curlew::job
