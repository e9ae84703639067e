// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Threads and memory of this machine.

#include <cstddef>
#include <vector>

namespace curlew {

/// Threads of every OpenMP loop and of the BLAS; 0: all processors that this process may use.
/// @throws InputError if n is negative
void set_num_threads(int n);
int num_threads();
/// The same for OpenMP loops of the calling thread only, if several threads share the cores.
void set_num_threads_here(int n);
/// Threads for one of several processes of a machine: each core that it may use is shared equally by those
/// that may use it; at least 1.
/// @param cores [processes] numbers of the cores that each may use
int core_share(const std::vector<std::vector<int>>& cores, std::size_t process);

/// Available memory in bytes: the least of that of the system and of the control group.
std::size_t available_memory();
/// Largest resident size of this process so far [bytes].
std::size_t peak_memory();
/// @throws ResourceError with purpose, needed and available memory if bytes exceed the latter
void require_memory(std::size_t bytes, const char* what);

}  // namespace curlew
