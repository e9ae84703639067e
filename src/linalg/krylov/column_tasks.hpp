// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How right-hand sides are dealt to columns, for both memories.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "linalg/krylov/options.hpp"
#include "linalg/krylov/rendezvous.hpp"

namespace curlew::linalg {

/// Column c takes the right-hand sides c, c + width, ... one after the other; serve does what they ask
/// together. One column alone runs in the caller's thread and has nobody to wait for.
std::vector<KrylovReport> solve_columns(Rendezvous& rendezvous, int width, Index num_rhs,
                                        const std::function<KrylovReport(int column, Index k)>& solve_one,
                                        const Rendezvous::Serve& serve);

}  // namespace curlew::linalg
