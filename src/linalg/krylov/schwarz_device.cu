// SPDX-License-Identifier: BSD-3-Clause
// Schwarz's preconditioner on the GPU: gather, the direct solver's own kernels, weighted gather back.
#include "linalg/krylov/device_direct.hpp"
#include "linalg/krylov/schwarz.hpp"
#include "linalg/krylov/schwarz_steps.hpp"
#include "linalg/vector/device_sweep.cuh"

namespace curlew::linalg {
namespace {

class DeviceSchwarz final : public CoarseSolver<DeviceOperator<complex<double>>> {
 public:
  using Z = complex<double>;
  DeviceSchwarz(Index size, const DirectOptions& direct, const SchwarzOptions& schwarz)
      : size_(size), direct_(direct), options_(schwarz) {}
  void factor(const Csr<Complex>& a) override {
    const Subdomains parts = divide(a, options_.parts, options_.overlap, options_.symmetric);
    rows_ = cuda::Buffer<Index>(parts.rows), places_ = cuda::Buffer<Index>(parts.places);
    offsets_ = cuda::Buffer<Offset>(parts.offsets);
    into_ = cuda::Buffer<double>(parts.into), out_ = cuda::Buffer<double>(parts.out);
    inverse_ = std::make_unique<DeviceDirect>(parts.matrix.num_rows, direct_);
    inverse_->factor(parts.matrix);
  }
  const DirectInfo& info() const override { return inverse_->info(); }
  Index size() const override { return size_; }
  bool is_recordable() const override { return false; }
  void apply(const Z* r, Z* z, const DeviceQueue& queue) const override {
    apply_many(r, size_, z, size_, 1, queue);
  }
  void apply_many(const Z* r, Offset ldr, Z* z, Offset ldz, Index n,
                  const DeviceQueue& queue) const override {
    const DeviceBackend::Guest guest(backend_, queue);
    const SubdomainView view{size_,           Offset(rows_.size()), rows_.data(), places_.data(),
                             offsets_.data(), into_.data(),         out_.data()};
    steps_.apply(backend_, view, *inverse_, r, ldr, z, ldz, n);
  }

 private:
  Index size_;
  DirectOptions direct_;
  SchwarzOptions options_;
  cuda::Buffer<Index> rows_, places_;
  cuda::Buffer<Offset> offsets_;
  cuda::Buffer<double> into_, out_;
  std::unique_ptr<DeviceDirect> inverse_;
  mutable DeviceBackend backend_;
  mutable SchwarzSteps<DeviceBackend> steps_;
};

}  // namespace

std::unique_ptr<CoarseSolver<DeviceOperator<complex<double>>>> make_device_coarse_solver(
    Index size, const DirectOptions& direct, const SchwarzOptions& schwarz) {
  if (schwarz.parts <= 1) return std::make_unique<DeviceDirect>(size, direct);
  return std::make_unique<DeviceSchwarz>(size, direct, schwarz);
}

}  // namespace curlew::linalg
