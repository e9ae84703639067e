// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Solution of an integral equation: by factors of the dense matrix, or by Krylov loops over dense products or
// the corrected operator.

#include "ie/operator/gpu_division.hpp"
#include "ie/operator/integral_equation.hpp"
#include "ie/operator/solution_groups.hpp"
#include "linalg/dense/dense_plan.hpp"
#include "linalg/dense/kept_lu.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::ie {

struct SolveOptions {
  bool direct = true;
  bool accelerated = false;              ///< iterative: corrected operator in place of the matrix
  double acceleration_tolerance = 1e-4;  ///< of its sums over points
  linalg::KrylovOptions krylov;
  Preconditioner preconditioner = Preconditioner::near;
  linalg::LuPrecision precision = linalg::LuPrecision::automatic;
  Device device = Device::cpu;  ///< for factors, or for the corrected operator and its iteration
  /// Those that share the rows of the corrected operator (ngim/share.hpp); null: this one alone. All run the
  /// same program; process 0 leads each iteration, and the others compute their rows of every product and
  /// receive the results, so that decisions are made only once.
  const ProcessGroup* processes = nullptr;
  std::size_t device_memory = 0;  ///< [bytes] limit for factors, 0: all free memory
  /// Number of GPUs among which right-hand sides or rows of the operator are divided (GpuDivision); 0: all
  /// for right-hand sides, for rows as many as the memory requires.
  int gpus = 1;
  /// Right-hand sides that are combinations of others to this relative error are not iterated; 0: all are.
  double compression_tolerance = 0;
  /// gmres over the corrected operator: relaxed products; with recycled directions low-accuracy products with
  /// tolerance steering_sums (linalg::KrylovOptions::outer_directions).
  bool relaxes_products = false;
  int recycled_starts = 60;  ///< earlier solutions for the initial guess, 0: start from zero
  /// gmres: recycled search directions for all incidences (linalg::KrylovOptions::kept_directions), 0: none,
  /// recycled_starts is used; below 0: as many as fit into memory.
  int kept_directions = -1;
  /// Direct solutions of one mesh at several frequencies: factors that they share; or null.
  std::shared_ptr<linalg::KeptLu> kept_factors{};

  bool uses_device() const { return !direct && accelerated && device == Device::cuda; }
};

/// Residuals in another basis are those of the transformed system.
struct SolveReport : linalg::SystemReport {
  std::vector<linalg::KrylovReport> krylov;  ///< by iterated right-hand side; empty if direct
  linalg::LuReport lu;
  double fill_seconds = 0, solve_seconds = 0;
  bool converged = true;
  int kept_directions = 0;         ///< recycled directions that fit, on each device
  Index rank = 0;                  ///< iterated right-hand sides; 0: no compression requested
  double compression_error = 0;    ///< greatest relative residual of the others as combinations of them
  int gpus = 0;                    ///< number of GPUs among which rows or right-hand sides were divided
  std::vector<Index> share_sizes;  ///< [gpus] right-hand sides that each iterated; empty: rows were divided
  Offset num_points = 0, near_entries = 0;  ///< of the corrected operator: entries, or pairs of elements
  std::size_t bytes = 0;                    ///< of its stored part; on the device, of the complete iteration
  std::vector<std::pair<std::string, double>> set_up;   ///< seconds by stage
  std::vector<std::pair<std::string, double>> product;  ///< seconds of one product by step
  std::vector<ProductCount> products;                   ///< by the tolerance of their sums, of all shares

  /// Sets iterations, residual and convergence from all of these.
  void set_krylov(std::vector<linalg::KrylovReport> all);
  void add_products(std::span<const ProductCount> of_others);
  /// The same for groups in their order, including those solved by an earlier run.
  void set_groups(std::span<const GroupReport> groups);
};

/// Bytes of the largest stage on the host, predicted before the set-up. @param held right-hand sides in
/// memory at once; below 0: all
std::size_t estimate_bytes(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs,
                           Index held = -1);
/// The division for this number of iterated right-hand sides.
GpuDivision choose_division(const IntegralEquation& equation, const SolveOptions& options, Index num_rhs);
/// Default number of recycled search directions of low-accuracy products: beyond it they cost more time than
/// they save.
inline constexpr int most_loose_directions = 600;
/// Recycled search directions for the right-hand sides of one device, or of the CPU; 0: none.
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
/// @param store saves iterated groups; null: nothing is saved, and right-hand sides of a device form one
/// group
SolveReport solve(const IntegralEquation& equation, const SolveOptions& options, std::vector<Complex>& b,
                  Index num_rhs, GroupStore* store = nullptr);

/// Groups of right-hand sides that are not in memory together: iterated without compression. @throws as solve
SolveReport solve_groups(const IntegralEquation& equation, const SolveOptions& options,
                         const SolutionGroups& groups);
/// First indices of groups of neighbours, and the end: at most `largest` in each (0: no limit), and at least
/// one group per GPU; of equal size, or smaller towards the end if a GPU takes several.
std::vector<Index> divide_groups(const GpuDivision& division, Index num_rhs, Index largest);

}  // namespace curlew::ie
