// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The GPU's context and sparse direct solver take some tenths of a second to start, meanwhile a program makes
// its mesh.

#include <thread>

#include "base/device.hpp"

namespace curlew::linalg {

/// Starts both in a thread; on the CPU, or if one of them is missing, the thread ends at once. Errors are
/// reported by the code that uses them.
[[nodiscard]] std::jthread start_gpu_solver(Device device);

}  // namespace curlew::linalg
