// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Operator, preconditioner and Krylov loops of an iterative solver in one memory.

#include <future>
#include <memory>
#include <vector>

#include "base/timer.hpp"
#include "linalg/csr.hpp"
#include "linalg/krylov/iterative_options.hpp"
#include "linalg/krylov/krylov_columns.hpp"
#include "linalg/krylov/low_rank.hpp"
#include "linalg/krylov/schwarz.hpp"

namespace curlew::linalg {

class IterativeBackend {
 public:
  virtual ~IterativeBackend() = default;
  virtual std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) = 0;
};

/// The system A + U V, its unknowns sorted by level.
struct SortedSystem {
  const Csr<Complex>& a;  ///< kept by reference
  const LowRank& term;    ///< on the coarse level alone where there are levels
};

/// In the memory of options.device.
/// @param levels first unknowns of the levels, and the end
/// @param info symmetry in, what is known of the coarse level out
std::unique_ptr<IterativeBackend> make_iterative_backend(const SortedSystem& system,
                                                         const IterativeOptions& options,
                                                         const std::vector<Index>& levels,
                                                         IterativeInfo& info);
std::unique_ptr<IterativeBackend> make_device_backend(const SortedSystem& system,
                                                      const IterativeOptions& options,
                                                      const std::vector<Index>& levels, IterativeInfo& info);

/// Right-hand sides at once: as many as are asked for and as half of the memory holds, each with the vectors
/// of its method.
int affordable_columns(const IterativeOptions& options, Index unknowns, Index num_rhs, std::size_t memory);

/// The coarse level, factorised in the background: ordering leaves most processors idle, and a factorisation
/// on a GPU all of them. The levels above are prepared meanwhile.
/// Operator is LinearOperator<Complex> or DeviceOperator<complex<double>>.
template <class Operator>
class CoarseLevel {
 public:
  CoarseLevel(const Csr<Complex>& a, std::unique_ptr<CoarseSolver<Operator>> solver)
      : solver_(std::move(solver)), seconds_(std::async(std::launch::async, [&a, to = solver_.get()] {
          const Timer timer;
          to->factor(block(a, 0, to->size(), 0, to->size()));
          return timer.seconds();
        })) {}
  const Operator& solver() const { return *solver_; }
  /// Waits for the factorisation; before the first use. @throws what it has thrown
  void finish(IterativeInfo& info) {
    info.coarse_seconds = seconds_.get();
    info.coarse_library = solver_->info().library, info.coarse_unknowns = solver_->size();
    info.coarse_functions = solver_->coarse_functions();
  }

 private:
  std::unique_ptr<CoarseSolver<Operator>> solver_;
  std::future<double> seconds_;  // behind solver_: it waits for its thread when it goes
};

/// How the coarse level of a matrix is to be factorised and divided.
DirectOptions coarse_direct_options(const IterativeOptions& options, const IterativeInfo& info);
SchwarzOptions coarse_schwarz_options(const IterativeOptions& options);

}  // namespace curlew::linalg
