// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Threads of a process that mpirun started.

namespace curlew::linalg {

/// Takes this process's share of the cores that mpirun bound it to, else of the machine's; OMP_NUM_THREADS
/// overrides this. Call it after MPI has started. @returns number of processes on this machine
int share_cores();

}  // namespace curlew::linalg
