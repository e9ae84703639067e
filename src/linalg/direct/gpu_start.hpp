// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The GPU's context and sparse direct solver take some tenths of a second to start: time in which a program
// makes its mesh.

#include <thread>

#include "base/device.hpp"

namespace curlew::linalg {

/// Starts both in a thread; on the CPU, and where one of them is missing, it ends at once. What is wrong is
/// said by those who need them.
[[nodiscard]] std::jthread start_gpu_solver(Device device);

}  // namespace curlew::linalg
