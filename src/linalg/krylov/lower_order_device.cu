// SPDX-License-Identifier: BSD-3-Clause
// The two levels on the GPU: interpolation and sweeps with values in single precision, on the stream of the
// caller.
#include <future>

#include "linalg/krylov/device_gauss_seidel.hpp"
#include "linalg/krylov/lower_order_cycle.hpp"
#include "linalg/krylov/solver_memory.hpp"
#include "linalg/sparse/device_matrix.hpp"
#include "linalg/vector/device_sweep.cuh"

namespace curlew::linalg {
namespace {

class DeviceLowerOrder final : public DeviceOperator<complex<double>> {
 public:
  using Z = complex<double>;
  using Product = std::shared_future<const DeviceOperator<Z>*>;
  DeviceLowerOrder(const Csr<Complex>& a, const Product& product, const LowerOrder& lower,
                   const DeviceOperator<Z>& coarse, int steps)
      : coarse_(coarse),
        rows_(std::async(std::launch::async, [&a] { return colour_rows(a); })),  // mostly one thread's work
        cycle_(correction(product, lower), sweep(), steps),
        smoother_(rows_.get()) {
    backend_.wait();
  }
  Index size() const override { return cycle_.size(); }
  bool is_recordable() const override { return coarse_.is_recordable(); }
  void apply(const Z* r, Z* z, const DeviceQueue& queue) const override {
    apply_many(r, size(), z, size(), 1, queue);
  }
  void apply_many(const Z* r, Offset ldr, Z* z, Offset ldz, Index n,
                  const DeviceQueue& queue) const override {
    const DeviceBackend::Guest guest(backend_, queue);
    cycle_.apply(backend_, r, ldr, z, ldz, n);
  }

 private:
  CoarseCorrection<DeviceBackend> correction(const Product& product, const LowerOrder& lower) {
    using Packed = DevicePacked<float, double>;
    CoarseCorrection<DeviceBackend> c;
    // Only rows of vertices are shifts of one another: a search for more takes longer than the other steps
    // together.
    const PackOptions options{.shifted = false};
    c.basis = std::make_unique<Packed>(pack<float>(lower.interpolation, options));
    c.dual = std::make_unique<Packed>(pack<float>(transpose(lower.interpolation), options));
    c.inverse = &coarse_;
    c.matrix = {std::shared_ptr<void>(), product.get()};
    return c;
  }
  LowerOrderCycle<DeviceBackend>::Sweep sweep() {
    return [this](bool forward, const Z* r, Offset ldr, Z* z, Offset ldz, Index n) {
      smoother_.sweep(forward, r, ldr, z, ldz, n, backend_.queue());
    };
  }

  const DeviceOperator<Z>& coarse_;
  std::future<ColouredRows> rows_;
  mutable DeviceBackend backend_;
  mutable LowerOrderCycle<DeviceBackend> cycle_;
  DeviceGaussSeidel<double> smoother_;
};

}  // namespace

std::unique_ptr<DeviceMemory::Operator> DeviceMemory::lower_order(
    const Csr<Complex>& a, const std::shared_future<const Operator*>& product, const LowerOrder& lower,
    const Operator& coarse, const MultilevelOptions& options) {
  return std::make_unique<DeviceLowerOrder>(a, product, lower, coarse, options.smoothing_steps);
}

}  // namespace curlew::linalg
