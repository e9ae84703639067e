// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/iteration.hpp"

#include <algorithm>

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "curlew/build.hpp"
#include "ie/operator/corrected_operator.hpp"
#include "ie/operator/shared_iteration.hpp"
#include "linalg/krylov/jacobi.hpp"
#include "linalg/krylov/krylov.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "base/cuda.hpp"
#include "ie/operator/device_basis_change.hpp"
#include "ie/operator/shared_operator.hpp"
#include "linalg/krylov/device_jacobi.hpp"
#endif

namespace curlew::ie {
namespace {

using Operator = linalg::LinearOperator<Complex>;

/// Dense products, rows divided over the threads: 16 bytes of matrix per 8 flops, limited by memory.
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
  const auto& info = direct->info();
  log::debug("{}: {:.4g} entries of the near part, {:.4g} of its factors, {:.3g} GiB, {:.3g} s", info.library,
             double(info.entries), info.factor_entries, gib(info.factor_bytes),
             info.analyse_seconds + info.factor_seconds);
  return direct;
}

/// A matrix with this diagonal, for Jacobi preconditioners.
linalg::Csr<Complex> diagonal_matrix(const Preconditioning& p, std::vector<Complex> own) {
  if (p.near.num_rows > 0) return p.near;
  auto d = linalg::identity<Complex>(Index(own.size()));
  d.values = std::move(own);
  return d;
}

ngim::Share share_of(const ProcessGroup* group) {
  return group == nullptr ? ngim::Share{} : ngim::Share{group->rank(), group->size()};
}

/// Bytes of the Krylov loop's vectors, some of which are allocated when needed.
std::size_t loop_bytes(const SolveOptions& options, Index unknowns) {
  return sizeof(Complex) * std::size_t(unknowns) * std::size_t(linalg::krylov_vectors(options.krylov));
}

class HostIteration final : public Iteration {
 public:
  HostIteration(const IntegralEquation& equation, Preconditioning p, SolveOptions options, Stages& set_up)
      : preconditioner_(std::move(p.host)) {
    std::vector<Complex> diagonal;
    if (options.accelerated) {
      const ProcessGroup* group = sharing_group(equation, options);
      auto fill = equation.fill(share_of(group), set_up);
      diagonal = options.preconditioner == Preconditioner::jacobi ? fill->diagonal() : diagonal;
      const ScopedStage timed(set_up, "NGIM set-up");
      auto fast = std::make_unique<CorrectedOperator>(std::move(fill), options.acceleration_tolerance);
      fast_ = fast.get(), plain_ = std::move(fast);
      if (group != nullptr) {
        auto shared = std::make_unique<SharedProduct>(*fast_, *group);
        shared_ = shared.get();
        own_rows_ = std::move(plain_), plain_ = std::move(shared);
      }
      if (options.relaxes_products)
        options.krylov.allow_error = [this, kept = loop_bytes(options, equation.size())](double error) {
          if (shared_ != nullptr) return shared_->allow(error, kept);
          fast_->allow(error, kept);
        };
    } else {
      auto a = equation.full_matrix();
      for (Offset i = 0; i < a.rows(); ++i) diagonal.push_back(a(i, i));
      plain_ = std::make_unique<DenseOperator>(std::move(a));
    }
    if (!p.basis.is_empty()) {
      basis_ = std::make_unique<BasisChange>(p.basis);
      changed_ = std::make_unique<ChangedBasis>(*plain_, *basis_);
    }
    if (options.preconditioner == Preconditioner::jacobi)
      preconditioner_ = std::make_unique<linalg::Jacobi<Complex>>(diagonal_matrix(p, std::move(diagonal)));
    else if (p.near.num_rows > 0)
      preconditioner_ = factored<linalg::DirectOperator>(p.near);
    loop_ = std::make_unique<linalg::Krylov<Complex>>(matrix(), preconditioner_.get(), options.krylov);
  }
  linalg::KrylovReport solve(const Complex* b, Complex* z) override { return loop_->solve(b, z); }
  void forget() override { loop_->forget(); }
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
  void describe(SolveReport& report) const override {
    if (fast_ == nullptr) return;
    report.num_points = fast_->num_points(), report.near_entries = fast_->fill().num_near();
    report.bytes = fast_->fill().bytes(), report.product = fast_->product_seconds();
    report.products = fast_->products();
  }

 private:
  const Operator& matrix() const { return changed_ ? static_cast<const Operator&>(*changed_) : *plain_; }
  std::unique_ptr<Operator> own_rows_;  ///< where processes share the operator
  std::unique_ptr<Operator> plain_;
  CorrectedOperator* fast_ = nullptr;  ///< what makes the products, of the own rows where shared
  SharedProduct* shared_ = nullptr;
  std::unique_ptr<BasisChange> basis_;
  std::unique_ptr<ChangedBasis> changed_;
  std::unique_ptr<Operator> preconditioner_;
  std::unique_ptr<linalg::Krylov<Complex>> loop_;
};

#ifdef CURLEW_HAVE_CUDA
using Value = complex<double>;
using DeviceOperator = linalg::DeviceOperator<Value>;

class DeviceIteration final : public Iteration {
 public:
  DeviceIteration(const IntegralEquation& equation, Preconditioning p, SolveOptions options, Stages& set_up)
      : plain_(equation, options.gpus, options.acceleration_tolerance, set_up),
        preconditioner_(std::move(p.device)),
        b_(std::size_t(plain_.size())),
        z_(b_.size()) {
    if (!p.basis.is_empty()) changed_ = std::make_unique<DeviceChangedBasis>(plain_, p.basis);
    if (options.preconditioner == Preconditioner::jacobi)
      preconditioner_ =
          std::make_unique<linalg::DeviceJacobi<double>>(diagonal_matrix(p, plain_.diagonal_entries()));
    else if (p.near.num_rows > 0)
      preconditioner_ = factored<linalg::DeviceDirect>(p.near);
    if (options.relaxes_products)
      options.krylov.allow_error = [this, kept = loop_bytes(options, equation.size())](double error) {
        plain_.allow(error, kept);
      };
    loop_ = std::make_unique<linalg::DeviceKrylov<Value>>(matrix(), preconditioner_.get(), options.krylov);
    bytes_ = plain_.bytes_taken();
  }
  linalg::KrylovReport solve(const Complex* b, Complex* z) override {
    b_.upload(reinterpret_cast<const Value*>(b));
    z_.upload(reinterpret_cast<const Value*>(z));
    auto report = loop_->solve(b_.data(), z_.data());
    z_.download(reinterpret_cast<Value*>(z));
    return report;
  }
  void forget() override { loop_->forget(); }
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
  void describe(SolveReport& report) const override {
    report.num_points = plain_.num_points(), report.near_entries = plain_.num_near();
    report.bytes = bytes_, report.gpus = plain_.num_devices();
    report.products = plain_.products();  // without products for timing
    cuda::Buffer<Value> y(z_.size());
    report.product = plain_.product_seconds(z_.data(), y.data());
  }

 private:
  Index size() const { return plain_.size(); }
  /// Copies to z_, runs work, copies from b_.
  template <class Work>
  void on_device(const Complex* from, Complex* to, Work work) {
    z_.upload(reinterpret_cast<const Value*>(from));
    work();
    CURLEW_CUDA_CALL(cudaDeviceSynchronize());
    b_.download(reinterpret_cast<Value*>(to));
  }

  const DeviceOperator& matrix() const {
    return changed_ ? static_cast<const DeviceOperator&>(*changed_) : plain_;
  }
  SharedOperator plain_;
  std::unique_ptr<DeviceChangedBasis> changed_;
  std::unique_ptr<DeviceOperator> preconditioner_;
  std::unique_ptr<linalg::DeviceKrylov<Value>> loop_;
  cuda::Buffer<Value> b_, z_;
  std::size_t bytes_;
};
#endif

}  // namespace

std::unique_ptr<Iteration> make_iteration(const IntegralEquation& equation, Preconditioning p,
                                          const SolveOptions& options, Stages& set_up) {
#ifdef CURLEW_HAVE_CUDA
  if (options.uses_device())
    return std::make_unique<DeviceIteration>(equation, std::move(p), options, set_up);
#endif
  const ProcessGroup* group = sharing_group(equation, options);
  if (group != nullptr && group->rank() > 0)
    return make_follower(std::make_unique<CorrectedOperator>(equation.fill(share_of(group), set_up),
                                                             options.acceleration_tolerance),
                         *group);
  auto iteration = std::make_unique<HostIteration>(equation, std::move(p), options, set_up);
  if (group == nullptr) return iteration;
  return make_leader(std::move(iteration), equation.size(), *group);
}

const ProcessGroup* sharing_group(const IntegralEquation& equation, const SolveOptions& options) {
  const bool shares = !options.direct && options.accelerated && equation.can_share_rows();
  return shares ? options.processes : nullptr;
}

}  // namespace curlew::ie
