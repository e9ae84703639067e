// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// solver.method = "auto": a direct or an iterative solver by predicted time and memory.

#include <cstddef>
#include <string>

#include "base/types.hpp"

namespace curlew::linalg {

/// Task of a run's linear solver.
struct SolverDemand {
  Index unknowns = 0;
  Index coarse_unknowns = 0;  ///< of the orders that the multilevel preconditioner factorises
  Offset nonzeros = 0;
  int right_hand_sides = 1;  ///< of each frequency
  int frequencies = 1;
  double factor_flops = 0;       ///< real operations of the direct solver by its analysis; 0: not known
  std::size_t factor_bytes = 0;  ///< memory of the direct solver by its analysis; 0: not known
  bool is_analysed = false;      ///< the direct solver's analysis is done and costs no further time
  bool short_factors = false;    ///< of the coarse level in single precision (levels.hpp)
};

/// Resources of the machine.
struct SolverMachine {
  int threads = 1;
  std::size_t memory = 0;  ///< [bytes] of the host free memory of the host
  bool has_gpu = false;    ///< the run uses a GPU
  bool has_cudss = false;
  std::size_t device_memory = 0;  ///< [bytes] of the GPU that are free
};

/// Cost of all frequencies, with one set of vectors.
struct SolverCost {
  double seconds = 0;
  std::size_t bytes = 0;  ///< in the memory that the solver lives in: of the host, or of the GPU
};

struct MethodChoice {
  bool is_iterative = false;
  SolverCost direct, iterative;
  double analysis = 0;  ///< [s] of direct.seconds
  std::string reason;   ///< one sentence
};

/// Memory of the factors of a system that has not been analysed [bytes].
std::size_t expected_factor_bytes(Index unknowns);

/// The direct solver unless it does not fit, or the iterative one (GMRES with the multilevel preconditioner)
/// is predicted to take less than half of its time; below 100,000 unknowns, where a direct solution takes
/// seconds, and for systems that the preconditioner would factorise completely, always direct.
MethodChoice choose_method(const SolverDemand& demand, const SolverMachine& machine);

}  // namespace curlew::linalg
