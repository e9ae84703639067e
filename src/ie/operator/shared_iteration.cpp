// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/shared_iteration.hpp"

namespace curlew::ie {
namespace {

/// Part of a report that the other processes need to continue as process 0 does.
struct PlainReport {
  linalg::KrylovStatus status;
  int iterations, starts;
  double relative_residual, estimated_residual, seconds;
};

class Leader final : public Iteration {
 public:
  Leader(std::unique_ptr<Iteration> iteration, Index size, const ProcessGroup& group)
      : own_(std::move(iteration)), size_(std::size_t(size)), group_(group) {}

  linalg::KrylovReport solve(const Complex* b, Complex* z) override {
    auto report = own_->solve(b, z);
    finish(z);
    PlainReport plain{
        report.status, report.iterations, report.starts, report.relative_residual, report.estimated_residual,
        report.seconds};
    group_.broadcast(&plain, sizeof plain);
    return report;
  }
  void forget() override { own_->forget(); }
  void multiply(const Complex* z, Complex* product) override { own_->multiply(z, product), finish(product); }
  void test(const Complex* b, Complex* rhs) override { own_->test(b, rhs), finish(rhs); }
  void expand(const Complex* z, Complex* x) override { own_->expand(z, x), finish(x); }
  void describe(SolveReport& report) const override { own_->describe(report); }

 private:
  void finish(Complex* result) const {
    auto step = SharedStep::done;
    group_.broadcast(&step, sizeof step);
    group_.broadcast(result, size_ * sizeof(Complex));
  }
  std::unique_ptr<Iteration> own_;
  std::size_t size_;
  const ProcessGroup& group_;
};

class Follower final : public Iteration {
 public:
  Follower(std::unique_ptr<CorrectedOperator> own_rows, const ProcessGroup& group)
      : own_(std::move(own_rows)), group_(group), x_(std::size_t(own_->size())), y_(x_.size()) {}

  linalg::KrylovReport solve(const Complex*, Complex* z) override {
    follow(z);
    PlainReport plain{};
    group_.broadcast(&plain, sizeof plain);
    linalg::KrylovReport report;
    report.status = plain.status, report.iterations = plain.iterations, report.starts = plain.starts;
    report.relative_residual = plain.relative_residual;
    report.estimated_residual = plain.estimated_residual, report.seconds = plain.seconds;
    return report;
  }
  void forget() override {}
  void multiply(const Complex*, Complex* product) override { follow(product); }
  void test(const Complex*, Complex* rhs) override { follow(rhs); }
  void expand(const Complex*, Complex* x) override { follow(x); }
  void describe(SolveReport&) const override {}

 private:
  void follow(Complex* result) {
    for (;;) {
      auto step = SharedStep::done;
      group_.broadcast(&step, sizeof step);
      if (step == SharedStep::done) break;
      AllowedError allowed;
      group_.broadcast(&allowed, sizeof allowed);
      own_->allow(allowed.error, allowed.kept_free);
      group_.broadcast(x_.data(), x_.size() * sizeof(Complex));
      own_->apply(x_.data(), y_.data());
      group_.add_up(y_.data(), y_.size());
    }
    group_.broadcast(result, x_.size() * sizeof(Complex));
  }
  std::unique_ptr<CorrectedOperator> own_;
  const ProcessGroup& group_;
  std::vector<Complex> x_, y_;
};

}  // namespace

void SharedProduct::apply(const Complex* x, Complex* y) const {
  auto step = SharedStep::product;
  group_.broadcast(&step, sizeof step);
  auto allowed = allowed_;
  group_.broadcast(&allowed, sizeof allowed);
  own_.allow(allowed.error, allowed.kept_free);
  group_.broadcast(const_cast<Complex*>(x), std::size_t(size()) * sizeof(Complex));  // process 0 only sends
  own_.apply(x, y);
  group_.add_up(y, std::size_t(size()));
}

std::unique_ptr<Iteration> make_leader(std::unique_ptr<Iteration> iteration, Index size,
                                       const ProcessGroup& group) {
  return std::make_unique<Leader>(std::move(iteration), size, group);
}

std::unique_ptr<Iteration> make_follower(std::unique_ptr<CorrectedOperator> own_rows,
                                         const ProcessGroup& group) {
  return std::make_unique<Follower>(std::move(own_rows), group);
}

}  // namespace curlew::ie
