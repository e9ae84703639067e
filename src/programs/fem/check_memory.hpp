// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The memory of an error estimate by solving again, as dry runs state it.

#include "fem/error/solved_again.hpp"
#include "linalg/krylov/system_solver.hpp"
#include "run/optional_part.hpp"

namespace curlew::programs {

/// Matrix and factors of the largest system, by what the analysis says of the run's.
/// @param entries of the run's matrix @param is_beside the run keeps its factors meanwhile
run::OptionalPart check_memory(const fem::CheckPrice& price, Offset entries, const linalg::SystemInfo& info,
                               bool is_beside = true);

}  // namespace curlew::programs
