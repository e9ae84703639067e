// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Chooses integration rules by the memory for near pairs.

#include "ie/operator/solve.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// Rules for the corrected operator on GPUs: those of the system, or accuracy_for_sums if the tolerance of
/// sums is 1e-3 or larger and the corrections of the system's rules do not fit into the memory of the GPUs.
/// @param free_bytes of each GPU
Accuracy choose_accuracy(const System& system, const SolveOptions& options, std::size_t free_bytes);

}  // namespace curlew::ie
