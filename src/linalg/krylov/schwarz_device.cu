// SPDX-License-Identifier: BSD-3-Clause
// Schwarz's preconditioner on the GPU: gather, the direct solver's own kernels, weighted gather back.
#include "linalg/krylov/coarse_space.hpp"
#include "linalg/krylov/device_direct.hpp"
#include "linalg/krylov/schwarz.hpp"
#include "linalg/krylov/schwarz_steps.hpp"
#include "linalg/sparse/device_matrix.hpp"
#include "linalg/vector/device_sweep.cuh"

namespace curlew::linalg {
namespace {

class DeviceSchwarz final : public CoarseSolver<DeviceOperator<complex<double>>> {
 public:
  using Z = complex<double>;
  DeviceSchwarz(Index size, const DirectOptions& direct, const SchwarzOptions& schwarz)
      : size_(size), direct_(direct), options_(schwarz) {}
  void factor(const Csr<Complex>& a) override {
    const Subdomains parts = divide(a, options_.parts, options_.overlap, options_.symmetric, options_.cells);
    rows_ = cuda::Buffer<Index>(parts.rows), places_ = cuda::Buffer<Index>(parts.places);
    offsets_ = cuda::Buffer<Offset>(parts.offsets);
    into_ = cuda::Buffer<double>(parts.into), out_ = cuda::Buffer<double>(parts.out);
    inverse_ = std::make_unique<DeviceDirect>(parts.matrix.num_rows, direct_);
    inverse_->factor(parts.matrix);
    if (options_.vectors > 0 && !options_.symmetric) add_coarse_space(a, parts.part_of);
  }
  const DirectInfo& info() const override { return inverse_->info(); }
  Index coarse_functions() const override { return coarse_.inverse ? coarse_.inverse->size() : 0; }
  Index size() const override { return size_; }
  bool is_recordable() const override { return false; }
  void apply(const Z* r, Z* z, const DeviceQueue& queue) const override {
    apply_many(r, size_, z, size_, 1, queue);
  }
  void apply_many(const Z* r, Offset ldr, Z* z, Offset ldz, Index n,
                  const DeviceQueue& queue) const override {
    const DeviceBackend::Guest guest(backend_, queue);
    steps_.apply(backend_, view(), *inverse_, r, ldr, z, ldz, n);
    if (coarse_.inverse) coarse_.apply(backend_, r, ldr, z, ldz, n);
  }

 private:
  SubdomainView view() const {
    return {size_,           Offset(rows_.size()), rows_.data(), places_.data(),
            offsets_.data(), into_.data(),         out_.data()};
  }
  void add_coarse_space(const Csr<Complex>& a, const std::vector<Index>& part_of) {
    using Product = DevicePacked<double, double>;
    coarse_.matrix = std::make_unique<Product>(pack<double>(a));
    const auto propagate = [this](Complex* vectors, Index count) {
      cuda::Buffer<Z> on_device(std::size_t(size_) * std::size_t(count));
      on_device.upload(reinterpret_cast<const Z*>(vectors));
      steps_.propagate(backend_, view(), *inverse_, *coarse_.matrix, on_device.data(), count,
                       options_.sampling_steps);
      backend_.wait();
      on_device.download(reinterpret_cast<Z*>(vectors));
    };
    const CoarseSpace space =
        make_coarse_space(a, part_of, options_.parts, {.vectors = options_.vectors, .propagate = propagate});
    coarse_.basis = std::make_unique<Product>(pack<double>(space.basis));
    coarse_.dual = std::make_unique<Product>(pack<double>(space.dual));
    DirectOptions direct = direct_;
    direct.symmetry = Symmetry::unsymmetric;
    auto inverse = std::make_unique<DeviceDirect>(space.galerkin.num_rows, direct);
    inverse->factor(space.galerkin);
    coarse_inverse_ = std::move(inverse);
    coarse_.inverse = coarse_inverse_.get();
  }

  Index size_;
  DirectOptions direct_;
  SchwarzOptions options_;
  cuda::Buffer<Index> rows_, places_;
  cuda::Buffer<Offset> offsets_;
  cuda::Buffer<double> into_, out_;
  std::unique_ptr<DeviceDirect> inverse_;
  std::unique_ptr<DeviceOperator<Z>> coarse_inverse_;
  mutable CoarseCorrection<DeviceBackend> coarse_;
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
