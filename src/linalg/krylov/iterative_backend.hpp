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

/// Made in the memory of options.device. @param info statistics of a coarse level
std::unique_ptr<IterativeBackend> make_iterative_backend(const PreconditionedSystem& system,
                                                         const IterativeOptions& options,
                                                         IterativeInfo& info);

/// Number of simultaneous right-hand sides: as requested, limited so that the vectors of the method fit into
/// half of the memory.
int affordable_columns(const IterativeOptions& options, Index unknowns, Index num_rhs, std::size_t memory);

}  // namespace curlew::linalg
