// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Threads of a process that mpirun started.

namespace curlew::linalg {

/// Takes the cores that mpirun bound this process to, else its share of the machine's; OMP_NUM_THREADS
/// decides where it is set. After MPI has started. @returns processes on this machine
int share_cores();

}  // namespace curlew::linalg
