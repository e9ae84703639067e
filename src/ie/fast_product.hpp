// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A SurfaceProduct on the CPU.

#include "base/timer.hpp"
#include "ie/surface_product.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::ie {

class FastProduct final : public linalg::LinearOperator<Complex> {
 public:
  /// @param tolerance of the sums over points, relative
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if memory does not suffice
  FastProduct(SurfaceProduct product, double tolerance);
  ~FastProduct() override;
  Index size() const override { return product_.num_unknowns; }
  void apply(const Complex* x, Complex* y) const override;
  const SurfaceProduct& product() const { return product_; }

 private:
  void add_sums(std::size_t region, const Complex* x, bool of_magnetic, Complex* y) const;

  SurfaceProduct product_;
  std::vector<std::unique_ptr<ngim::Plan>> plans_;  ///< by region
  mutable std::vector<Complex> charges_, potential_, gradient_;
};

}  // namespace curlew::ie
