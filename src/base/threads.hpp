// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Threads and memory of this machine.

#include <cstddef>

namespace curlew {

/// Threads of every OpenMP loop and of the BLAS; 0 takes all processors this process may use.
/// @throws InputError if n is negative
void set_num_threads(int n);
int num_threads();

/// Bytes that a new allocation can expect to get: the least of what the system and the control group leave.
std::size_t available_memory();
/// Largest resident size of this process so far [bytes].
std::size_t peak_memory();
/// @throws ResourceError naming what, the need and what there is, if bytes exceed the available memory
void require_memory(std::size_t bytes, const char* what);

}  // namespace curlew
