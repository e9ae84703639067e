// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cases of em-bench ngim that stand in a file of their own.

#include "bench/cases.hpp"

namespace curlew::bench {

/// The error matrix. @throws NumericalError if a tolerance was missed
void ngim_errors(const Options& options, Report& report);

}  // namespace curlew::bench
