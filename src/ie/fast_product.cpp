// SPDX-License-Identifier: BSD-3-Clause
#include "ie/fast_product.hpp"

namespace curlew::ie {

FastProduct::FastProduct(SurfaceProduct product, double tolerance) : product_(std::move(product)) {
  for (const auto& region : product_.regions) plans_.push_back(make_plan(region, tolerance, Device::cpu));
}

FastProduct::~FastProduct() = default;

void FastProduct::apply(const Complex* x, Complex* y) const {
  linalg::multiply(product_.corrections, x, y);
  for (std::size_t r = 0; r < plans_.size(); ++r) {
    add_sums(r, x, false, y);
    if (product_.regions[r].has_magnetic) add_sums(r, x, true, y);
  }
}

void FastProduct::add_sums(std::size_t r, const Complex* x, bool of_magnetic, Complex* y) const {
  const RegionSums& region = product_.regions[r];
  const RegionView view(region, region.currents.view(), product_.share.data(), product_.magnetic.data());
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
  for (Index f = 0; f < product_.num_functions; ++f)
    view.test(f, reinterpret_cast<const Value*>(potential_.data()), reinterpret_cast<const Value*>(gradient),
              of_magnetic, reinterpret_cast<Value*>(y));
}

}  // namespace curlew::ie
