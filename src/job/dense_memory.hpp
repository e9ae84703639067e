// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Precision of a dense matrix, and its planned memory and seconds, stated by mom2d and ie-solve before they
// make it.

#include "io/config.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "run/run.hpp"

namespace curlew::job {

/// [bytes] of [solver] device_memory, 0 if it is not given.
std::size_t read_device_memory(const io::Config& solver);

/// [solver] precision; single precision, if the run asks for it, is mixed.
linalg::LuPrecision read_lu_precision(const io::Config& solver, const run::Run& run);

/// Plans the solution on the run's device, and states its memory.
/// @throws InputError with file and key if the stated memory is too small
void plan_dense_memory(Offset unknowns, Offset num_rhs, linalg::LuPrecision precision,
                       const linalg::DenseLimits& limits, linalg::EntriesMade entries, run::Run& run);

/// Seconds of one frequency; 0 outside of dry runs, and on a GPU, whose speed is not measured here.
struct DenseSeconds {
  double fill = 0, solution = 0;
};
/// @param fill_operations that take as long at the speed of dense products @param columns right-hand sides
DenseSeconds dense_seconds(double fill_operations, double unknowns, double columns, const run::Run& run);
void plan_dense_seconds(const DenseSeconds& each, double frequencies, run::Run& run);

}  // namespace curlew::job
