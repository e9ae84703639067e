// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Distributes right-hand sides over the columns that are solved simultaneously, on host and device.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "linalg/krylov/batch_barrier.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::linalg {

/// Column c solves the right-hand sides c, c + width, ... in sequence; serve executes requests of all columns
/// together. A single column runs in the caller's thread.
std::vector<KrylovReport> solve_columns(BatchBarrier& barrier, int width, Index num_rhs,
                                        const std::function<KrylovReport(int column, Index k)>& solve_one,
                                        const BatchBarrier::Serve& serve);

}  // namespace curlew::linalg
