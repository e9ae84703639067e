// SPDX-License-Identifier: BSD-3-Clause
#include "base/cuda.hpp"
#include "linalg/krylov/device_jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#include "linalg/krylov/solver_memory.hpp"
#include "linalg/sparse/device_matrix.hpp"

namespace curlew::linalg {

std::unique_ptr<DeviceMemory::Operator> DeviceMemory::product(const Csr<Complex>& a, bool,
                                                              const KrylovOptions& options) {
  const Packed<double> packed = pack<double>(a);
  require_device_memory(stored_bytes(packed) + std::size_t(krylov_vectors(options) + 2) *
                                                   std::size_t(a.num_rows) * sizeof(complex<double>),
                        "the matrix and the vectors of the solver");
  return std::make_unique<DevicePacked<double, double>>(packed);
}

std::unique_ptr<DeviceMemory::Operator> DeviceMemory::sum(const Operator& a, const LowRank& term) {
  return make_device_sum(a, term);
}

std::unique_ptr<DeviceMemory::Operator> DeviceMemory::jacobi(const Csr<Complex>& a) {
  return std::make_unique<DeviceJacobi<double>>(a);
}

std::unique_ptr<DeviceMemory::Operator> DeviceMemory::multilevel(const Csr<Complex>& a,
                                                                 const std::vector<Index>& levels,
                                                                 const Operator& coarse,
                                                                 const MultilevelOptions& options) {
  return std::make_unique<DeviceMultilevel<complex<double>>>(a, levels, coarse, options);
}

std::unique_ptr<CoarseSolver<DeviceMemory::Operator>> DeviceMemory::coarse(Index size,
                                                                           const DirectOptions& direct,
                                                                           const SchwarzOptions& schwarz) {
  return make_device_coarse_solver(size, direct, schwarz);
}

std::size_t DeviceMemory::free_bytes() {
  return device_info().free_memory;
}

}  // namespace curlew::linalg
