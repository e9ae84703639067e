// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// PML rows: rows that sweeps amplify, where coordinates are complex (perfectly matched layers). Absorbing
// boundaries and losses also change phases within rows, but there sweeps converge.

#include <vector>

#include "base/process_group.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

/// @param a with complete rows of this process; others are empty @param group processes with the other rows;
/// collective @return [num_rows] 1 for local rows that sweeps amplify
std::vector<char> turned_rows(const Csr<Complex>& a, const ProcessGroup* group = nullptr);

}  // namespace curlew::linalg
