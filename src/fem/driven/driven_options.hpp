// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The [solver] and [frequency] tables of the finite element programs.

#include <vector>

#include "fem/driven/driven_problem.hpp"
#include "io/config.hpp"

namespace curlew::fem {

/// [solver] method = "direct", ordering, tolerance.
DrivenOptions read_driven_options(const io::Config& config, Device device);

/// [frequency] as a list without repetitions [Hz].
std::vector<double> read_sweep_frequencies(const io::Config& config);

}  // namespace curlew::fem
