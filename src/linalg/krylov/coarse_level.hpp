// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The coarse level of a preconditioner, factorised in the background: meanwhile the finer levels are set up
// on cores that ordering, or a factorisation on a GPU, leaves idle.

#include <future>
#include <memory>

#include "base/threads.hpp"
#include "base/timer.hpp"
#include "linalg/krylov/coarse_solver.hpp"
#include "linalg/krylov/iterative_options.hpp"

namespace curlew::linalg {

/// Operator is LinearOperator<Complex> or DeviceOperator<complex<double>>.
template <class Operator>
class CoarseLevel {
 public:
  /// The level of the first rows of A, as many as the solver has.
  CoarseLevel(const Csr<Complex>& a, std::shared_ptr<CoarseSolver<Operator>> solver)
      : solver_(std::move(solver)),
        seconds_(std::async(std::launch::async, [&a, to = solver_.get(), threads = num_threads()] {
          const Timer timer;
          set_num_threads_here(threads);
          to->factor(to->size() == a.num_rows ? a : block(a, 0, to->size(), 0, to->size()));
          return timer.seconds();
        })) {}
  const Operator& solver() const { return *solver_; }
  /// Waits for the factorisation; call it before the first use. @throws exceptions of the factorisation
  void finish(IterativeInfo& info) {
    info.coarse_seconds = seconds_.get();
    info.coarse_analyse_seconds = solver_->info().analyse_seconds;
    info.coarse_library = solver_->info().library, info.coarse_unknowns = solver_->size();
    info.coarse_functions = solver_->coarse_functions();
  }

 private:
  std::shared_ptr<CoarseSolver<Operator>> solver_;
  std::future<double> seconds_;  // after solver_: its destructor waits for its thread
};

}  // namespace curlew::linalg
