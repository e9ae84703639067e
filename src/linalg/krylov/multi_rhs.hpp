// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Distributes right-hand sides over the columns that are solved at once, on host and device.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "linalg/krylov/batch_barrier.hpp"
#include "linalg/krylov/options.hpp"

namespace curlew::linalg {

/// Column c takes the right-hand sides c, c + width, ... one after the other; serve does what they ask
/// together. One column alone runs in the caller's thread and has nobody to wait for.
std::vector<KrylovReport> solve_columns(BatchBarrier& barrier, int width, Index num_rhs,
                                        const std::function<KrylovReport(int column, Index k)>& solve_one,
                                        const BatchBarrier::Serve& serve);

}  // namespace curlew::linalg
