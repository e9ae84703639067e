// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Products with a surface system on the CPU.

#include "base/timer.hpp"
#include "ie/surface/surface_product.hpp"
#include "linalg/csr.hpp"
#include "linalg/linear_operator.hpp"

namespace curlew::ie {

class FastProduct final : public linalg::LinearOperator<Complex> {
 public:
  /// @param tolerance of the sums over points, relative
  /// @throws InputError for a tolerance out of NGIM's range; ResourceError if memory does not suffice
  /// @param corrections of near pairs, with Gram terms and loads
  FastProduct(SurfaceSums sums, linalg::Csr<Complex> corrections, double tolerance);
  ~FastProduct() override;
  Index size() const override { return sums_.num_unknowns; }
  void apply(const Complex* x, Complex* y) const override;
  /// Of what is stored beside the plans.
  std::size_t bytes() const;
  const SurfaceSums& sums() const { return sums_; }
  const linalg::Csr<Complex>& corrections() const { return corrections_; }

 private:
  void add_sums(std::size_t region, const Complex* x, bool of_magnetic, Complex* y) const;

  SurfaceSums sums_;
  linalg::Csr<Complex> corrections_;
  std::vector<std::unique_ptr<ngim::Plan>> plans_;  ///< by region
  mutable std::vector<Complex> charges_, potential_, gradient_;
};

}  // namespace curlew::ie
