// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Operator, preconditioner and Krylov loops of an iterative solver in one memory.

#include <memory>
#include <vector>

#include "linalg/krylov/krylov_columns.hpp"
#include "linalg/krylov/preconditioner.hpp"

namespace curlew::linalg {

class IterativeBackend {
 public:
  virtual ~IterativeBackend() = default;
  virtual std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) = 0;
};

/// In the memory of options.device. @param info what is known of a coarse level
std::unique_ptr<IterativeBackend> make_iterative_backend(const PreconditionedSystem& system,
                                                         const IterativeOptions& options,
                                                         IterativeInfo& info);

/// Right-hand sides at once: as many as are asked for and as half of the memory holds, each with the vectors
/// of its method.
int affordable_columns(const IterativeOptions& options, Index unknowns, Index num_rhs, std::size_t memory);

}  // namespace curlew::linalg
