// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/fast_product.hpp"

namespace curlew::ie {

FastProduct::FastProduct(SurfaceSums sums, linalg::Csr<Complex> corrections, double tolerance)
    : sums_(std::move(sums)), corrections_(std::move(corrections)) {
  for (const auto& region : sums_.regions) plans_.push_back(make_plan(region, tolerance, Device::cpu));
}

FastProduct::~FastProduct() = default;

std::size_t FastProduct::bytes() const {
  return sums_.bytes() + corrections_.columns.size() * (sizeof(Complex) + sizeof(Index));
}

void FastProduct::apply(const Complex* x, Complex* y) const {
  linalg::multiply(corrections_, x, y);
  for (std::size_t r = 0; r < plans_.size(); ++r) {
    add_sums(r, x, false, y);
    if (sums_.regions[r].has_magnetic) add_sums(r, x, true, y);
  }
}

void FastProduct::add_sums(std::size_t r, const Complex* x, bool of_magnetic, Complex* y) const {
  const RegionSums& region = sums_.regions[r];
  const RegionView view(region, region.currents.view(), sums_.share.data(), sums_.magnetic.data());
  const Offset n = region.currents.num_points();
  charges_.resize(std::size_t(4 * n)), potential_.resize(std::size_t(4 * n));
  if (region.needs_curl) gradient_.resize(std::size_t(12 * n));
  Complex* const gradient = region.needs_curl ? gradient_.data() : nullptr;
  using Value = RegionView::Value;
#pragma omp parallel for
  for (Offset p = 0; p < n; ++p)
    view.spread(p, reinterpret_cast<const Value*>(x), of_magnetic, reinterpret_cast<Value*>(charges_.data()));
  plans_[r]->apply(charges_.data(), 4, potential_.data(), gradient);
#pragma omp parallel for
  for (Index f = 0; f < sums_.num_functions; ++f)
    view.test(f, reinterpret_cast<const Value*>(potential_.data()), reinterpret_cast<const Value*>(gradient),
              of_magnetic, reinterpret_cast<Value*>(y));
}

}  // namespace curlew::ie
