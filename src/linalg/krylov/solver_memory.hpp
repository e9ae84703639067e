// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Host and device memory, in which a system is solved, as template arguments M: preconditioners and solvers
// are written once for both.

#include <future>
#include <memory>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/krylov/coarse_solver.hpp"
#include "linalg/krylov/low_rank.hpp"
#include "linalg/krylov/lower_order.hpp"
#include "linalg/krylov/multilevel.hpp"
#include "linalg/krylov/options.hpp"
#include "linalg/krylov/schwarz.hpp"

namespace curlew::linalg {

struct HostMemory {
  using Operator = LinearOperator<Complex>;
  static constexpr bool is_device = false;
  /// @param a stored by reference @param is_symmetric exactly, in all bits
  static std::unique_ptr<Operator> product(const Csr<Complex>& a, bool is_symmetric,
                                           const KrylovOptions& options);
  static std::unique_ptr<Operator> sum(const Operator& a, const LowRank& term);
  static std::unique_ptr<Operator> jacobi(const Csr<Complex>& a);
  static std::unique_ptr<Operator> multilevel(const Csr<Complex>& a, const std::vector<Index>& levels,
                                              const Operator& coarse, const MultilevelOptions& options);
  /// @param product with A, waited for @param lower used until this returns
  static std::unique_ptr<Operator> lower_order(const Csr<Complex>& a,
                                               const std::shared_future<const Operator*>& product,
                                               const LowerOrder& lower, const Operator& coarse,
                                               const MultilevelOptions& options);
  static std::unique_ptr<CoarseSolver<Operator>> coarse(Index size, const DirectOptions& direct,
                                                        const SchwarzOptions& schwarz);
  static std::size_t free_bytes();
};

/// For builds with CUDA. @throws ResourceError if the memory does not suffice
struct DeviceMemory {
  using Operator = DeviceOperator<complex<double>>;
  static constexpr bool is_device = true;
  static std::unique_ptr<Operator> product(const Csr<Complex>& a, bool is_symmetric,
                                           const KrylovOptions& options);
  static std::unique_ptr<Operator> sum(const Operator& a, const LowRank& term);
  static std::unique_ptr<Operator> jacobi(const Csr<Complex>& a);
  static std::unique_ptr<Operator> multilevel(const Csr<Complex>& a, const std::vector<Index>& levels,
                                              const Operator& coarse, const MultilevelOptions& options);
  /// @param product with A, waited for @param lower used until this returns
  static std::unique_ptr<Operator> lower_order(const Csr<Complex>& a,
                                               const std::shared_future<const Operator*>& product,
                                               const LowerOrder& lower, const Operator& coarse,
                                               const MultilevelOptions& options);
  static std::unique_ptr<CoarseSolver<Operator>> coarse(Index size, const DirectOptions& direct,
                                                        const SchwarzOptions& schwarz);
  static std::size_t free_bytes();
};

}  // namespace curlew::linalg
