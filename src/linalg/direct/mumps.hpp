// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// MUMPS behind DirectSolver: LDL^T of symmetric and LU of other matrices, threaded by the BLAS, and in an MPI
// run on all its processes. Source: P. Amestoy, I. Duff, J.-Y. L'Excellent, J. Koster, SIAM J. Matrix Anal.
// Appl. 23 (2001) 15; MUMPS 5.5.1 Users' Guide for the control parameters named in the comments.

#include <exception>
#include <functional>
#include <memory>

#include "linalg/direct/direct_solver.hpp"
#include "linalg/process_group.hpp"

namespace curlew::linalg {

/// A step of all processes that process 0 announces.
struct GroupStep {
  int job = 0;       ///< a job of MUMPS, or one of those below
  int instance = 0;  ///< of a solver of the group
  int detail = 0;    ///< of a start: whether the matrix is symmetric; else what the job says
};
constexpr int mumps_start = -1, mumps_end = -2;  ///< jobs that make and end an instance
constexpr int step_leave = 0;                    ///< the program has ended; MUMPS has no such job
constexpr int step_mesh = 101;                   ///< a mesh follows
constexpr int step_begin = 102;                  ///< an instance with a distributed matrix begins
constexpr int step_assemble = 103;               ///< entries of that matrix at a frequency
constexpr int step_multiply = 104;               ///< its product with `detail` vectors
constexpr int step_row_sums = 105;               ///< sums of the moduli of its rows
constexpr int step_impose = 106;                 ///< `detail` of its unknowns are known
constexpr int step_radiation_begin = 107;        ///< a radiation integral (truncation/shared_radiation.hpp)
constexpr int step_radiate = 108;                ///< its fields of currents
constexpr int step_radiation_end = 109;          ///< it is not needed any more
constexpr int step_iterate = 110;         ///< the analysis has chosen an iterative solver for that matrix
constexpr int step_precondition = 111;    ///< its preconditioner (krylov/spread_solver.hpp)
constexpr int step_solve = 112;           ///< its iterations for `detail` right-hand sides
constexpr int step_iterate_end = 113;     ///< the preconditioner is not needed any more
constexpr int step_multiply_dealt = 114;  ///< a product with the matrix that it was made for

/// What ends the program of a process when that of process 0 has ended.
struct LeaderEnded : std::exception {
  const char* what() const noexcept override { return "process 0 has ended"; }
};

/// The processes of an MPI run. Process 0 runs the program and announces each step that the others are to
/// take with it (linalg/mpi): calls of MUMPS with a matrix of process 0, and what concerns a distributed
/// matrix, of which each process has made its own rows. As it stands: one process, without MPI.
struct MumpsGroup {
  int own_communicator = -987654;  ///< Fortran handle of this process alone; sequential MUMPS takes any
  int communicator = -987654;      ///< Fortran handle of all processes
  int size = 1;                    ///< processes
  int on_one_machine = 1;          ///< the most of them that share a machine's memory
  const ProcessGroup* processes = nullptr;  ///< null: one process
  bool assembles = false;  ///< all processes run the program until a distributed matrix begins
  std::function<void(const GroupStep&)> announce;  ///< of process 0
  /// Of the others: waits asleep and takes steps until `stops` says so or the program of process 0 has ended.
  /// Steps that `stops` has not taken are calls of MUMPS with a matrix of process 0.
  /// @returns false if the program has ended
  enum class Taken { no, yes, last };
  std::function<bool(const std::function<Taken(const GroupStep&)>& takes)> follow;

  bool leads() const { return processes == nullptr || processes->rank() == 0; }
};
MumpsGroup& mumps_group();
/// Waits for a step of process 0. Of the other processes.
/// @throws LeaderEnded if the program of process 0 ends instead
void await_step(int job);

/// T is Complex or double. @throws ResourceError if this build lacks MUMPS
template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps(const DirectOptions& options);
/// The same on all processes of the group; right-hand sides and solutions stand on this one.
/// @throws InputError for factors out of core or of MKL and several processes
std::unique_ptr<DirectSolver<Complex>> make_mumps_of_group(const DirectOptions& options);

/// MUMPS with a matrix whose entries stand on all processes: analyse and factor are given the rows of this
/// process, rows of others being empty; entries of one place are added. Of a symmetric matrix the lower
/// triangle stands there alone. Right-hand sides and solutions stand on process 0, whose calls the others
/// join.
class SharedMumps : public DirectSolver<Complex> {
 public:
  /// A step of process 0 for this solver. @param own the rows of this process
  virtual void join(int job, const Csr<Complex>& own) = 0;
  virtual int instance() const = 0;
};
/// On all processes, the next step of which must be the begin of an instance.
/// @throws LeaderEnded, InputError as make_mumps_of_group
std::unique_ptr<SharedMumps> make_shared_mumps(const DirectOptions& options);
/// The same within a step that all processes take: each of them makes it, calls analyse, factor and solve,
/// and destroys it, at the same points, and nothing is announced. solve reads and writes x on process 0
/// alone. Memory and values are not checked, as one process alone would then throw.
std::unique_ptr<SharedMumps> make_joint_mumps(const DirectOptions& options);

}  // namespace curlew::linalg
