// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rows that sweeps amplify: where coordinates are stretched into the complex plane (perfectly matched
// layers). Absorbing boundaries and losses turn rows as well, but sweeps damp those.

#include <vector>

#include "linalg/csr.hpp"
#include "linalg/process_group.hpp"

namespace curlew::linalg {

/// @param a with whole rows, of a part of which the others are empty
/// @param group of the processes that have the other rows, all of which call it
/// @return [num_rows] 1 for own rows that sweeps amplify
std::vector<char> turned_rows(const Csr<Complex>& a, const ProcessGroup* group = nullptr);

}  // namespace curlew::linalg
