// SPDX-License-Identifier: BSD-3-Clause
#include "base/threads.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/solver_memory.hpp"
#include "linalg/sparse/crs_operator.hpp"

namespace curlew::linalg {

std::unique_ptr<HostMemory::Operator> HostMemory::product(const Csr<Complex>& a, bool is_symmetric,
                                                          const KrylovOptions&) {
  if (is_symmetric) return std::make_unique<SymmetricOperator<double>>(a);
  return std::make_unique<CrsOperator<Complex>>(a);
}

std::unique_ptr<HostMemory::Operator> HostMemory::sum(const Operator& a, const LowRank& term) {
  return make_sum(a, term);
}

std::unique_ptr<HostMemory::Operator> HostMemory::jacobi(const Csr<Complex>& a) {
  return std::make_unique<Jacobi<Complex>>(a);
}

std::unique_ptr<HostMemory::Operator> HostMemory::multilevel(const Csr<Complex>& a,
                                                             const std::vector<Index>& levels,
                                                             const Operator& coarse,
                                                             const MultilevelOptions& options) {
  return std::make_unique<Multilevel<Complex>>(a, levels, coarse, options);
}

std::unique_ptr<CoarseSolver<HostMemory::Operator>> HostMemory::coarse(Index size,
                                                                       const DirectOptions& direct,
                                                                       const SchwarzOptions& schwarz) {
  return make_coarse_solver(size, direct, schwarz);
}

std::size_t HostMemory::free_bytes() {
  return available_memory();
}

}  // namespace curlew::linalg
