// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A factorised matrix as an operator on device memory: cuDSS if installed, else MUMPS on the host with copies
// in both directions. For builds with CUDA.

#include <vector>

#include "linalg/direct/cudss.hpp"
#include "linalg/krylov/direct_operator.hpp"

namespace curlew::linalg {

class DeviceDirect final : public CoarseSolver<DeviceOperator<complex<double>>> {
 public:
  using Z = complex<double>;
  /// @param size of the matrix that factor will be given
  DeviceDirect(Index size, const DirectOptions& options);
  void factor(const Csr<Complex>& a) override;
  void begin(Csr<Complex> pattern) override;
  Index size() const override { return size_; }
  /// Waits for the stream if the host solves.
  void apply(const Z* r, Z* z, const DeviceQueue& queue) const override {
    apply_many(r, size_, z, size_, 1, queue);
  }
  void apply_many(const Z* r, Offset ldr, Z* z, Offset ldz, Index n, const DeviceQueue& queue) const override;
  bool is_recordable() const override { return false; }
  const DirectInfo& info() const override { return on_device_ ? on_device_->info() : on_host_->info(); }

 private:
  Index size_;
  std::unique_ptr<CudssSolver> on_device_;
  std::unique_ptr<DirectOperator> on_host_;
  mutable std::vector<Complex> r_, z_;
  AnalysedPattern pattern_;  // on the device; after its solver: its destructor waits for its thread
};

}  // namespace curlew::linalg
