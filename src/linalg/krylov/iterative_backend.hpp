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

namespace curlew::linalg {

class IterativeBackend {
 public:
  virtual ~IterativeBackend() = default;
  virtual std::vector<KrylovReport> solve(Index num_rhs, const ColumnTransfer& transfer) = 0;
};

/// In the memory of options.device.
/// @param a kept by reference, its unknowns sorted by level
/// @param levels first unknowns of the levels, and the end
/// @param info symmetry in, what is known of the coarse level out
std::unique_ptr<IterativeBackend> make_iterative_backend(const Csr<Complex>& a,
                                                         const IterativeOptions& options,
                                                         const std::vector<Index>& levels,
                                                         IterativeInfo& info);
std::unique_ptr<IterativeBackend> make_device_backend(const Csr<Complex>& a, const IterativeOptions& options,
                                                      const std::vector<Index>& levels, IterativeInfo& info);

/// Right-hand sides at once: as many as are asked for and as half of the memory holds, each with the vectors
/// of its method.
int affordable_columns(const IterativeOptions& options, Index unknowns, Index num_rhs, std::size_t memory);

/// The coarse level, factorised in the background. Ordering leaves most processors idle, and a GPU all of
/// them: the levels above are prepared meanwhile. Direct is DirectOperator or DeviceDirect.
template <class Direct>
class CoarseLevel {
 public:
  CoarseLevel(const Csr<Complex>& a, const IterativeOptions& options, Index size, bool is_symmetric) {
    DirectOptions direct = options.direct;
    direct.symmetry = is_symmetric ? Symmetry::symmetric : Symmetry::unsymmetric;
    direct_ = std::make_unique<Direct>(size, direct);
    seconds_ = std::async(std::launch::async, [&a, size, to = direct_.get()] {
      const Timer timer;
      to->factor(block(a, 0, size, 0, size));
      return timer.seconds();
    });
  }
  const Direct& direct() const { return *direct_; }
  /// Waits for the factorisation; before the first use. @throws what it has thrown
  void finish(IterativeInfo& info) {
    info.coarse_seconds = seconds_.get();
    info.coarse_library = direct_->info().library, info.coarse_unknowns = direct_->size();
  }

 private:
  std::unique_ptr<Direct> direct_;
  std::future<double> seconds_;  // behind direct_: it waits for its thread when it goes
};

}  // namespace curlew::linalg
