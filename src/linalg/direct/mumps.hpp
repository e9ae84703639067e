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

/// A step that process 0 announces to all processes.
struct GroupStep {
  int job = 0;       ///< a job of MUMPS, or one of those below
  int instance = 0;  ///< of a solver of the group
  int detail = 0;    ///< for a start: whether the matrix is symmetric; else depends on the job
};
constexpr int mumps_start = -1, mumps_end = -2;  ///< jobs that make and end an instance
constexpr int step_leave = 0;                    ///< the program has ended; MUMPS has no such job
constexpr int step_mesh = 101;                   ///< a mesh follows
constexpr int step_begin = 102;                  ///< an instance with a distributed matrix begins
constexpr int step_assemble = 103;               ///< entries of that matrix at a frequency
constexpr int step_multiply = 104;               ///< its product with `detail` vectors
constexpr int step_row_sums = 105;               ///< sums of the moduli of its rows
constexpr int step_impose = 106;                 ///< values of `detail` of its unknowns are prescribed
constexpr int step_radiation_begin = 107;        ///< a radiation integral (truncation/shared_radiation.hpp)
constexpr int step_radiate = 108;                ///< its fields of currents
constexpr int step_radiation_end = 109;          ///< it is no longer needed
constexpr int step_iterate = 110;                ///< the analysis chose an iterative solver for that matrix
constexpr int step_precondition = 111;           ///< its preconditioner (krylov/spread_solver.hpp)
constexpr int step_solve = 112;                  ///< its iterations for `detail` right-hand sides
constexpr int step_iterate_end = 113;            ///< the preconditioner is no longer needed
constexpr int step_multiply_dealt = 114;         ///< a product with the preconditioner's matrix

/// Thrown on a process to end its program after that of process 0 has ended.
struct LeaderEnded : std::exception {
  const char* what() const noexcept override { return "process 0 has ended"; }
};

/// The processes of an MPI run. Process 0 runs the program and announces each step that the others take with
/// it (linalg/mpi): calls of MUMPS with a matrix of process 0, and steps for a distributed matrix, of which
/// each process assembles its rows. The default is one process without MPI.
struct MumpsGroup {
  int own_communicator = -987654;  ///< Fortran handle of this process alone; sequential MUMPS takes any
  int communicator = -987654;      ///< Fortran handle of all processes
  int size = 1;                    ///< processes
  int on_one_machine = 1;          ///< largest number of them on one machine
  const ProcessGroup* processes = nullptr;  ///< null: one process
  bool assembles = false;  ///< all processes run the program until a distributed matrix begins
  std::function<void(const GroupStep&)> announce;  ///< of process 0
  /// On other processes: sleeps and takes steps until `stops` returns last or the program of process 0 ends.
  /// Steps that `stops` does not take are calls of MUMPS with a matrix of process 0.
  /// @returns false if the program has ended
  enum class Taken { no, yes, last };
  std::function<bool(const std::function<Taken(const GroupStep&)>& takes)> follow;

  bool leads() const { return processes == nullptr || processes->rank() == 0; }
};
MumpsGroup& mumps_group();
/// On other processes: waits for a step of process 0.
/// @throws LeaderEnded if the program of process 0 ends instead
void await_step(int job);

/// T is Complex or double. @throws ResourceError if this build lacks MUMPS
template <class T>
std::unique_ptr<DirectSolver<T>> make_mumps(const DirectOptions& options);
/// The same on all processes of the group; right-hand sides and solutions are on this one.
/// @throws InputError for factors out of core or of MKL and several processes
std::unique_ptr<DirectSolver<Complex>> make_mumps_of_group(const DirectOptions& options);

/// MUMPS with a distributed matrix: analyse and factor get the rows of this process, with empty rows of
/// others; entries of the same position are added. Of a symmetric matrix only the lower triangle is stored.
/// Right-hand sides and solutions are on process 0, whose calls the others join.
class SharedMumps : public DirectSolver<Complex> {
 public:
  /// A step of process 0 for this solver. @param own the rows of this process
  virtual void join(int job, const Csr<Complex>& own) = 0;
  virtual int instance() const = 0;
};
/// Called by all processes; the next step must begin an instance.
/// @throws LeaderEnded, InputError as make_mumps_of_group
std::unique_ptr<SharedMumps> make_shared_mumps(const DirectOptions& options);
/// The same within a step that all processes take: each of them makes it, calls analyse, factor and solve,
/// and destroys it, at the same points, without announcements. solve reads and writes x on process 0 only.
/// Memory and values are not checked, since a single process would then throw.
std::unique_ptr<SharedMumps> make_joint_mumps(const DirectOptions& options);

}  // namespace curlew::linalg
