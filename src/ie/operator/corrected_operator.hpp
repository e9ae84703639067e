// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The operator of every integral equation on the CPU: sums over points by NGIM, and corrections of near
// pairs.

#include <string>
#include <utility>

#include "base/timer.hpp"
#include "ie/operator/operator_fill.hpp"

namespace curlew::ie {

class CorrectedOperator final : public linalg::LinearOperator<Complex> {
 public:
  /// @param tolerance of the sums over points, relative
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if memory does not suffice
  CorrectedOperator(std::unique_ptr<HostFill> fill, double tolerance);
  Index size() const override { return fill_->size(); }
  void apply(const Complex* x, Complex* y) const override;

  /// Sets the allowed relative error of the following products (SumPlans::allow).
  void allow(double error, std::size_t kept_free) { sums_.allow(error, kept_free); }
  std::vector<ProductCount> products() const { return sums_.products(); }

  const HostFill& fill() const { return *fill_; }
  Offset num_points() const { return sums_.num_points(); }
  /// Mean seconds of each step of the products made so far.
  std::vector<std::pair<std::string, double>> product_seconds() const;

 private:
  std::unique_ptr<HostFill> fill_;
  mutable PointSums<Complex, HostQueue> sums_;  // counts its products
  mutable std::vector<Complex> charges_, potential_, gradient_;
  mutable Stages stages_;
};

}  // namespace curlew::ie
