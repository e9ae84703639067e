// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Threads and memory of this machine.

#include <cstddef>
#include <vector>

namespace curlew {

/// Threads of every OpenMP loop and of the BLAS; 0 takes all processors this process may use.
/// @throws InputError if n is negative
void set_num_threads(int n);
int num_threads();
/// The same of the calling thread's OpenMP loops alone, for one of several threads that share the cores.
void set_num_threads_here(int n);
/// Threads for one of several processes of a machine: each core that it may use is shared equally by those
/// that may use it; at least 1.
/// @param cores [processes] numbers of the cores that each may use
int core_share(const std::vector<std::vector<int>>& cores, std::size_t process);

/// Bytes that a new allocation can expect to get: the least of what the system and the control group leave.
std::size_t available_memory();
/// Largest resident size of this process so far [bytes].
std::size_t peak_memory();
/// @throws ResourceError naming what, the need and what there is, if bytes exceed the available memory
void require_memory(std::size_t bytes, const char* what);

}  // namespace curlew
