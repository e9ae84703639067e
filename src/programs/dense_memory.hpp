// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Memory of a dense matrix, which mom2d and ie-solve plan and report before they allocate it.

#include "io/config.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "run/run.hpp"

namespace curlew::programs {

/// [bytes] of [solver] device_memory, 0 if it is not given.
std::size_t read_device_memory(const io::Config& solver);

/// Plans the solution on the run's device, and states its memory.
/// @throws InputError with file and key if the stated memory is too small
void plan_dense_memory(Offset unknowns, Offset num_rhs, linalg::LuPrecision precision,
                       std::size_t device_memory, linalg::EntriesMade entries, run::Run& run);

}  // namespace curlew::programs
