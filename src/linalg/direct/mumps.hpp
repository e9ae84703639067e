// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// MUMPS behind DirectSolver: LDL^T of symmetric and LU of other matrices, threaded by the BLAS, and in an MPI
// run on all its processes. Source: P. Amestoy, I. Duff, J.-Y. L'Excellent, J. Koster, SIAM J. Matrix Anal.
// Appl. 23 (2001) 15; MUMPS 5.5.1 Users' Guide for the control parameters named in the comments.

#include <functional>
#include <memory>

#include "linalg/direct/direct_solver.hpp"

namespace curlew::linalg {

constexpr int mumps_start = -1, mumps_end = -2;  // jobs that make and end an instance

/// The processes of an MPI run. One runs the program; a call of MUMPS on all of them is announced first, so
/// that the others make the same call (linalg/mpi). As it stands: one process, without MPI.
struct MumpsGroup {
  int own_communicator = -987654;  ///< Fortran handle of this process alone; sequential MUMPS takes any
  int communicator = -987654;      ///< Fortran handle of all processes
  int size = 1;                    ///< processes
  int on_one_machine = 1;          ///< the most of them that share a machine's memory
  std::function<void(int instance, int job, bool symmetric)> announce;
};
MumpsGroup& mumps_group();

/// T is Complex or double. @throws ResourceError if this build lacks MUMPS
template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps(const DirectOptions& options);
/// The same on all processes of the group; right-hand sides and solutions stand on this one.
/// @throws InputError for factors out of core and several processes
std::unique_ptr<DirectSolver<Complex>> make_mumps_of_group(const DirectOptions& options);

}  // namespace curlew::linalg
