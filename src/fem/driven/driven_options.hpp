// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The [solver] table of the finite element programs.

#include "fem/driven/driven_problem.hpp"
#include "io/config.hpp"

namespace curlew::fem {

/// [solver] method, preconditioner, tolerance, max_iterations, restart, cycle, coarse_order, subdomains,
/// ordering.
/// @param processes that share matrices and factors; null: this one alone
DrivenOptions read_driven_options(const io::Config& config, Device device = Device::cpu,
                                  const ProcessGroup* processes = nullptr);
/// The same for eigenmodes, which use direct solves only.
linalg::DirectOptions read_direct_options(const io::Config& config);

}  // namespace curlew::fem
