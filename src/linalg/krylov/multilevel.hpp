// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hierarchical p-multilevel preconditioner on the nine blocks of a hierarchical finite-element matrix: the
// lowest order is solved, the higher orders are smoothed by coloured block Gauss-Seidel sweeps, forward on
// the way down and backward on the way up. Restriction to a lower order omits entries. Gradients are separate
// basis functions in our Nedelec spaces, so that the sweeps act on the null space of the curl without an
// auxiliary space. Source: A. Dziekonski, A. Lamecki, M. Mrozowski, IEEE Microw. Wireless Compon. Lett. 21
// (2011) 1, who smooth by Jacobi steps; those do not converge at order 3 here.

#include <array>
#include <memory>
#include <vector>

#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::linalg {

struct MultilevelOptions {
  int smoothing_steps = 1;  ///< before and after the coarser levels, 1 or more
};

class HostBackend;
class DeviceBackend;
template <class B, class R>
class MultilevelCycle;

/// z = M r on the CPU. T is Complex or ComplexF.
template <class T>
class Multilevel final : public LinearOperator<T> {
 public:
  /// @param offsets first rows of the orders and the end, e.g. {0, n0, n0 + n1, n}; 2 to 4 numbers
  /// @param coarse solves with the lowest order's block, z = A00^-1 r; stored by reference. For complex
  /// symmetric Krylov methods it must be symmetric.
  /// @throws InputError for offsets or options that do not fit
  Multilevel(const Csr<T>& a, const std::vector<Index>& offsets, const LinearOperator<T>& coarse,
             const MultilevelOptions& options = {});
  ~Multilevel() override;
  Index size() const override;
  void apply(const T* r, T* z) const override { apply_many(r, size(), z, size(), 1); }
  void apply_many(const T* r, Offset ldr, T* z, Offset ldz, Index n) const override;

 private:
  std::unique_ptr<HostBackend> backend_;
  std::unique_ptr<MultilevelCycle<HostBackend, typename T::value_type>> cycle_;
};

/// The same on the GPU. T is complex<double> or complex<float>. For builds with CUDA. One stream at a time.
template <class T>
class DeviceMultilevel final : public DeviceOperator<T> {
 public:
  using R = decltype(T::re);
  DeviceMultilevel(const Csr<std::complex<R>>& a, const std::vector<Index>& offsets,
                   const DeviceOperator<T>& coarse, const MultilevelOptions& options = {});
  ~DeviceMultilevel() override;
  Index size() const override;
  void apply(const T* r, T* z, const DeviceQueue& queue) const override {
    apply_many(r, size(), z, size(), 1, queue);
  }
  void apply_many(const T* r, Offset ldr, T* z, Offset ldz, Index n, const DeviceQueue& queue) const override;
  bool is_recordable() const override { return coarse_.is_recordable(); }

 private:
  const DeviceOperator<T>& coarse_;
  std::unique_ptr<DeviceBackend> backend_;
  std::unique_ptr<MultilevelCycle<DeviceBackend, R>> cycle_;
};

}  // namespace curlew::linalg
