// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/surface_iteration.hpp"

#include <algorithm>

#include "curlew/build.hpp"
#include "ie/surface/fast_product.hpp"
#include "ie/surface/near_matrix.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "ie/operator/device_basis_change.hpp"
#include "ie/surface/device_fast_product.hpp"
#include "ie/surface/device_near_matrix.hpp"
#include "linalg/krylov/device_jacobi.hpp"
#endif

namespace curlew::ie {
namespace {

using Operator = linalg::LinearOperator<Complex>;

/// Dense products, rows divided over the threads: 16 bytes of matrix per 8 flops, bound by memory.
class DenseOperator final : public Operator {
 public:
  explicit DenseOperator(linalg::DenseMatrix a) : a_(std::move(a)) {}
  Index size() const override { return Index(a_.rows()); }
  void apply(const Complex* x, Complex* y) const override {
    constexpr Offset chunk = 512;
    const Offset n = a_.rows();
#pragma omp parallel for schedule(dynamic)
    for (Offset first = 0; first < n; first += chunk) {
      const Offset last = std::min(first + chunk, n);
      std::fill(y + first, y + last, Complex());
      for (Offset j = 0; j < n; ++j) {
        const Complex* column = a_.column(j);
        for (Offset i = first; i < last; ++i) y[i] += column[i] * x[j];
      }
    }
  }

 private:
  linalg::DenseMatrix a_;
};

linalg::DirectOptions near_factors() {
  linalg::DirectOptions options;
  options.symmetry = linalg::Symmetry::unsymmetric;
  options.pivot_threshold = 0.01;
  return options;
}

/// Direct: linalg::DirectOperator or linalg::DeviceDirect
template <class Direct>
std::unique_ptr<Direct> factored(const linalg::Csr<Complex>& near) {
  auto direct = std::make_unique<Direct>(near.num_rows, near_factors());
  direct->factor(near);
  return direct;
}

class HostIteration final : public SurfaceIteration {
 public:
  HostIteration(std::unique_ptr<Operator> plain, const SurfacePreconditioning& p,
                const SurfaceSolveOptions& options)
      : plain_(std::move(plain)) {
    if (!p.basis.is_empty()) {
      basis_ = std::make_unique<BasisChange>(p.basis);
      changed_ = std::make_unique<ChangedBasis>(*plain_, *basis_);
    }
    if (options.preconditioner == SurfacePreconditioner::jacobi)
      preconditioner_ = std::make_unique<linalg::Jacobi<Complex>>(p.near);
    else if (p.near.num_rows > 0)
      preconditioner_ = factored<linalg::DirectOperator>(p.near);
    loop_ = std::make_unique<linalg::Krylov<Complex>>(matrix(), preconditioner_.get(), options.krylov);
  }
  linalg::KrylovReport solve(const Complex* b, Complex* z) override { return loop_->solve(b, z); }
  void multiply(const Complex* z, Complex* product) override { matrix().apply(z, product); }
  void test(const Complex* b, Complex* rhs) override {
    if (basis_ == nullptr)
      std::copy(b, b + plain_->size(), rhs);
    else
      basis_->test(b, rhs);
  }
  void expand(const Complex* z, Complex* x) override {
    if (basis_ == nullptr)
      std::copy(z, z + plain_->size(), x);
    else
      basis_->expand(z, x);
  }
  void describe(SurfaceSolveReport& report) const override {
    const auto* fast = dynamic_cast<const FastProduct*>(plain_.get());
    if (fast == nullptr) return;
    report.num_points = fast->sums().num_points();
    report.near_entries = fast->corrections().nnz();
    report.bytes = fast->bytes();
  }

 private:
  const Operator& matrix() const { return changed_ ? static_cast<const Operator&>(*changed_) : *plain_; }
  std::unique_ptr<Operator> plain_;
  std::unique_ptr<BasisChange> basis_;
  std::unique_ptr<ChangedBasis> changed_;
  std::unique_ptr<Operator> preconditioner_;
  std::unique_ptr<linalg::Krylov<Complex>> loop_;
};

#ifdef CURLEW_HAVE_CUDA
using Value = complex<double>;
using DeviceOperator = linalg::DeviceOperator<Value>;

class DeviceIteration final : public SurfaceIteration {
 public:
  DeviceIteration(const System& system, const std::vector<Entry>& loads, const SurfacePreconditioning& p,
                  const SurfaceSolveOptions& options)
      : free_before_(device_info().free_memory),
        plain_(make_surface_sums(system),
               device_near_matrix(system, loads, NearPairs::medium, NearPart::corrections),
               options.acceleration_tolerance),
        b_(std::size_t(plain_.size())),
        z_(b_.size()) {
    if (!p.basis.is_empty()) changed_ = std::make_unique<DeviceChangedBasis>(plain_, p.basis);
    if (options.preconditioner == SurfacePreconditioner::jacobi)
      preconditioner_ = std::make_unique<linalg::DeviceJacobi<double>>(p.near);
    else if (p.near.num_rows > 0)
      preconditioner_ = factored<linalg::DeviceDirect>(p.near);
    loop_ = std::make_unique<linalg::DeviceKrylov<Value>>(matrix(), preconditioner_.get(), options.krylov);
    bytes_ = free_before_ - device_info().free_memory;
  }
  linalg::KrylovReport solve(const Complex* b, Complex* z) override {
    b_.upload(reinterpret_cast<const Value*>(b));
    z_.upload(reinterpret_cast<const Value*>(z));
    auto report = loop_->solve(b_.data(), z_.data());
    z_.download(reinterpret_cast<Value*>(z));
    return report;
  }
  void multiply(const Complex* z, Complex* product) override {
    on_device(z, product, [&] { matrix().apply(z_.data(), b_.data(), {}); });
  }
  void test(const Complex* b, Complex* rhs) override {
    if (changed_ == nullptr)
      std::copy(b, b + size(), rhs);
    else
      on_device(b, rhs, [&] { changed_->test(z_.data(), b_.data(), {}); });
  }
  void expand(const Complex* z, Complex* x) override {
    if (changed_ == nullptr)
      std::copy(z, z + size(), x);
    else
      on_device(z, x, [&] { changed_->expand(z_.data(), b_.data(), {}); });
  }
  void describe(SurfaceSolveReport& report) const override {
    report.num_points = plain_.num_points(), report.near_entries = plain_.num_corrections(),
    report.bytes = bytes_;
    cuda::Buffer<Value> y(z_.size());
    for (const auto& [name, ms] : plain_.time_steps(z_.data(), y.data()))
      report.product.emplace_back(name, 1e-3 * ms);
  }

 private:
  Index size() const { return plain_.size(); }
  /// From z_ to b_.
  template <class Work>
  void on_device(const Complex* from, Complex* to, Work work) {
    z_.upload(reinterpret_cast<const Value*>(from));
    work();
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    b_.download(reinterpret_cast<Value*>(to));
  }

  std::size_t free_before_;
  const DeviceOperator& matrix() const {
    return changed_ ? static_cast<const DeviceOperator&>(*changed_) : plain_;
  }
  DeviceFastProduct plain_;
  std::unique_ptr<DeviceChangedBasis> changed_;
  std::unique_ptr<DeviceOperator> preconditioner_;
  std::unique_ptr<linalg::DeviceKrylov<Value>> loop_;
  cuda::Buffer<Value> b_, z_;
  std::size_t bytes_;
};
#endif

}  // namespace

linalg::DenseMatrix full_matrix(const System& system, const std::vector<Entry>& loads) {
  auto a = fill_dense(system);
  for (const auto& e : loads) a(e.row, e.column) += e.value;
  return a;
}

std::unique_ptr<SurfaceIteration> make_iteration(const System& system, const std::vector<Entry>& loads,
                                                 const SurfacePreconditioning& p,
                                                 const SurfaceSolveOptions& options) {
  if (!options.accelerated)
    return std::make_unique<HostIteration>(std::make_unique<DenseOperator>(full_matrix(system, loads)), p,
                                           options);
#ifdef CURLEW_HAVE_CUDA
  if (options.device == Device::cuda) return std::make_unique<DeviceIteration>(system, loads, p, options);
#endif
  return std::make_unique<HostIteration>(
      std::make_unique<FastProduct>(make_surface_sums(system),
                                    near_matrix(system, loads, NearPairs::medium, NearPart::corrections),
                                    options.acceleration_tolerance),
      p, options);
}

}  // namespace curlew::ie
