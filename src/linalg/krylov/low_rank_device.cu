// SPDX-License-Identifier: BSD-3-Clause
// A sparse matrix and a term of low rank on the GPU.
#include "linalg/krylov/low_rank.hpp"
#include "linalg/sparse/device_matrix.hpp"
#include "linalg/vector/device_sweep.cuh"

namespace curlew::linalg {
namespace {

class DeviceMatrixAndTerm final : public DeviceOperator<complex<double>> {
 public:
  using Z = complex<double>;
  DeviceMatrixAndTerm(const DeviceOperator<Z>& a, const LowRank& term)
      : a_(a), left_(term.left), right_(term.right, 32) {
    // A recorded iteration may not allocate.
    steps_.reserve(backend_, right_.size(), a_.size(), 1);
  }
  Index size() const override { return a_.size(); }
  bool is_recordable() const override { return a_.is_recordable(); }
  void apply(const Z* x, Z* y, const DeviceQueue& queue) const override {
    apply_many(x, size(), y, size(), 1, queue);
  }
  void apply_many(const Z* x, Offset ldx, Z* y, Offset ldy, Index n,
                  const DeviceQueue& queue) const override {
    const DeviceBackend::Guest guest(backend_, queue);
    steps_.apply(backend_, a_, left_, right_, x, ldx, y, ldy, n);
  }

 private:
  const DeviceOperator<Z>& a_;
  DeviceCrs<double> left_, right_;  // a row of the right one is a full port: one warp per row
  mutable DeviceBackend backend_;
  mutable SumSteps<DeviceBackend> steps_;
};

class DeviceCoarseWithTerm final : public CoarseSolver<DeviceOperator<complex<double>>> {
 public:
  using Z = complex<double>;
  DeviceCoarseWithTerm(std::shared_ptr<CoarseSolver<DeviceOperator<Z>>> inner, const LowRank& term)
      : inner_(std::move(inner)), term_(term) {}
  void factor(const Csr<Complex>& a) override {
    inner_->factor(a);
    std::vector<Complex> x = dense(term_.left);
    cuda::Buffer<Z> u(x.size()), solved(x.size());
    u.upload(reinterpret_cast<const Z*>(x.data()));
    backend_.apply_many(*inner_, static_cast<const Z*>(u.data()), size(), solved.data(), size(),
                        term_.left.num_cols);
    backend_.wait();
    solved.download(reinterpret_cast<Z*>(x.data()));
    const LowRank inverse = inverse_term(term_, x);
    left_ = std::make_unique<DeviceCrs<double>>(inverse.left);
    right_ = std::make_unique<DeviceCrs<double>>(inverse.right, 32);
  }
  const DirectInfo& info() const override { return inner_->info(); }
  Index coarse_functions() const override { return inner_->coarse_functions(); }
  Index size() const override { return inner_->size(); }
  bool is_recordable() const override { return false; }
  void apply(const Z* r, Z* z, const DeviceQueue& queue) const override {
    apply_many(r, size(), z, size(), 1, queue);
  }
  void apply_many(const Z* r, Offset ldr, Z* z, Offset ldz, Index n,
                  const DeviceQueue& queue) const override {
    const DeviceBackend::Guest guest(backend_, queue);
    steps_.apply_after(backend_, *inner_, *left_, *right_, r, ldr, z, ldz, n);
  }

 private:
  std::shared_ptr<CoarseSolver<DeviceOperator<Z>>> inner_;
  LowRank term_;
  std::unique_ptr<DeviceCrs<double>> left_, right_;
  mutable DeviceBackend backend_;
  mutable SumSteps<DeviceBackend> steps_;
};

}  // namespace

std::shared_ptr<CoarseSolver<DeviceOperator<complex<double>>>> with_term(
    std::shared_ptr<CoarseSolver<DeviceOperator<complex<double>>>> inner, const LowRank& term) {
  if (term.is_empty()) return inner;
  return std::make_shared<DeviceCoarseWithTerm>(std::move(inner), term);
}

std::unique_ptr<DeviceOperator<complex<double>>> make_device_sum(const DeviceOperator<complex<double>>& a,
                                                                 const LowRank& term) {
  return std::make_unique<DeviceMatrixAndTerm>(a, term);
}

}  // namespace curlew::linalg
