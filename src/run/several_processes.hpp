// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Programs started by mpirun: PROGRAM-mpi in the same folder is the same program with MPI.

namespace curlew::run {

/// Whether mpirun (Open MPI) started this process as one of several.
bool is_one_of_several();

/// Continues as PROGRAM-mpi. Returns only if that fails: one line of process 0 on stderr says why.
/// @returns the exit status
int continue_with_mpi(const char* program, int argc, char** argv);

}  // namespace curlew::run
