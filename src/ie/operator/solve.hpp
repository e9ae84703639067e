// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solution of an integral equation: by factors of the dense matrix, or by Krylov loops over dense products or
// the corrected operator.

#include "ie/operator/gpu_division.hpp"
#include "ie/operator/integral_equation.hpp"
#include "ie/operator/solution_groups.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::ie {

struct SolveOptions {
  bool direct = true;
  bool accelerated = false;              ///< iterative: the corrected operator in place of the dense matrix
  double acceleration_tolerance = 1e-4;  ///< of its sums over points
  linalg::KrylovOptions krylov;
  Preconditioner preconditioner = Preconditioner::near;
  linalg::LuPrecision precision = linalg::LuPrecision::automatic;
  bool with_condition = false;
  Device device = Device::cpu;    ///< of factors, or of the corrected operator and its iteration
  std::size_t device_memory = 0;  ///< [bytes] for factors to use at most, 0: what is free
  /// Among which right-hand sides or rows of the operator are divided (GpuDivision); 0: all there are for
  /// right-hand sides, for rows as many as the memory asks for.
  int gpus = 1;
  /// Right-hand sides that are combinations of others to this relative error are not iterated; 0: all are.
  double compression_tolerance = 0;
  /// gmres over the corrected operator: products as inexact as the residual allows; with recycled directions
  /// those are of steering_sums (linalg::KrylovOptions::outer_directions).
  bool relaxes_products = false;
  int recycled_starts = 60;  ///< earlier solutions that an incidence may start from, 0: start from zero
  /// gmres: search directions that serve all incidences (linalg::KrylovOptions::kept_directions), 0: none,
  /// and recycled_starts counts; below 0: as many as find room.
  int kept_directions = -1;

  bool uses_device() const { return !direct && accelerated && device == Device::cuda; }
};

/// Residuals in another basis are those of the transformed system.
struct SolveReport : linalg::SystemReport {
  std::vector<linalg::KrylovReport> krylov;  ///< by right-hand side that was iterated; empty if direct
  linalg::LuReport lu;
  double fill_seconds = 0, solve_seconds = 0;
  bool converged = true;
  int kept_directions = 0;         ///< that there was room for, on each device
  Index rank = 0;                  ///< right-hand sides that were iterated; 0: no compression was asked for
  double compression_error = 0;    ///< greatest relative residual of the others as combinations of them
  int gpus = 0;                    ///< that the rows or the right-hand sides were divided among
  std::vector<Index> share_sizes;  ///< [gpus] right-hand sides that each iterated; empty: rows were divided
  Offset num_points = 0, near_entries = 0;  ///< of the corrected operator: entries, or pairs of elements
  std::size_t bytes = 0;  ///< of its stored part; on the device, all that the iteration takes
  std::vector<std::pair<std::string, double>> set_up;   ///< seconds by stage
  std::vector<std::pair<std::string, double>> product;  ///< seconds of one product by step
  std::vector<ProductCount> products;                   ///< by the tolerance of their sums, of all shares

  /// Iterations, residual and convergence are those of all these.
  void set_krylov(std::vector<linalg::KrylovReport> all);
  void add_products(std::span<const ProductCount> of_others);
  /// The same of groups in their order, some of which an earlier run has solved.
  void set_groups(std::span<const GroupReport> groups);
};

/// Bytes of the largest stage on the host, before anything is made.
/// @param held right-hand sides that are in memory at once; below 0: all
std::size_t estimate_bytes(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                           Index held = -1);
/// The division for this number of iterated right-hand sides.
GpuDivision choose_division(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs);
/// Default number of recycled search directions of low-accuracy products: more cost more than they save.
inline constexpr int most_loose_directions = 600;
/// Search directions that are kept for the right-hand sides of one device, or of the CPU; 0: none.
/// @param num_rhs of all devices
int choose_directions(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                      const GpuDivision& division);
/// Bytes on the first device, of the corrected operator and its iteration.
std::size_t estimate_device_bytes(const IntegralEquation& equation, const SolveOptions& options,
                                  Index num_rhs = 1);

/// @param[in,out] b [num_rhs, unknowns] right-hand sides in, solutions out. A Krylov loop starts from the
/// combination of earlier solutions with the smallest residual.
/// @throws NumericalError if the matrix is singular; ResourceError if memory does not suffice. No convergence
/// is reported, not thrown.
/// @param store keeps what is iterated, in groups; null: nothing is kept, and what a device iterates is one
/// group
SolveReport solve(const IntegralEquation& equation, const SolveOptions& options, std::vector<Complex>& b,
                  Index num_rhs, GroupStore* store = nullptr);

/// Groups of right-hand sides that are not in memory together: iterated without compression. @throws as solve
SolveReport solve_groups(const IntegralEquation& equation, const SolveOptions& options,
                         const SolutionGroups& groups);
/// First numbers of groups of neighbours, and their end: at most `largest` in each (0: no limit), and a group
/// for each of the GPUs that divide the right-hand sides; of equal size, or fewer towards the end where a GPU
/// takes several.
std::vector<Index> divide_groups(const GpuDivision& division, Index num_rhs, Index largest);

}  // namespace curlew::ie
