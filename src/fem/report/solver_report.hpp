// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Facts of a solve in summary.json.

#include "fem/driven/adaptive_sweep.hpp"
#include "fem/space.hpp"
#include "job/problem.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "run/run.hpp"

namespace curlew::fem {

/// Seconds of the parts of all solutions.
void state_stages(const Stages& stages, run::Run& run);
/// Method, iterations and true residual; for a Krylov method its history too, one list per call.
void state_solve(const linalg::SystemReport& report, run::Run& run);
/// Cells, order, unknowns and nonzeros.
void state_sizes(const NedelecSpace& space, Offset nnz, run::Run& run);
/// Whether the factors are in the memory of the device.
bool is_on_device(const linalg::SystemInfo& info);
/// Library, ordering and memory before the first solve.
void state_solver(const linalg::SystemInfo& info, run::Run& run);
/// Sizes, analysis and memory of a system before its first solution. @param columns right-hand sides
job::Plan plan_system(MaxwellSystem& system, std::size_t columns, run::Run& run);
/// How many full solutions an adaptive sweep took.
void state_sweep(const FastSweepResult& result, run::Run& run);

}  // namespace curlew::fem
