// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/point_currents.hpp"

#include <numeric>

namespace curlew::ie {
namespace {

using Value = PointCurrentsView::Value;
const Value* plain(const Complex* x) {
  return reinterpret_cast<const Value*>(x);
}

}  // namespace

void PointCurrents::index_uses() {
  point_of.resize(unknowns.size());
  for (Offset p = 0; p < num_points(); ++p)
    for (Offset e = offsets[p]; e < offsets[p + 1]; ++e) point_of[e] = Index(p);
  use_offsets.assign(std::size_t(num_unknowns) + 1, 0);
  for (const Index b : unknowns) ++use_offsets[b + 1];
  std::partial_sum(use_offsets.begin(), use_offsets.end(), use_offsets.begin());
  uses.resize(unknowns.size());
  auto next = use_offsets;
  for (Offset e = 0; e < Offset(unknowns.size()); ++e) uses[next[unknowns[e]]++] = e;
}

PointCurrentsView PointCurrents::view() const {
  return {num_points(),    num_unknowns,       offsets.data(),
          unknowns.data(), current.data(),     rotated.empty() ? nullptr : rotated.data(),
          charge.data(),   use_offsets.data(), uses.data(),
          point_of.data()};
}

void PointCurrents::spread(const Complex* x, Complex* out) const {
  const auto all = view();
  const Value* from = plain(x);
#pragma omp parallel for
  for (Offset p = 0; p < num_points(); ++p)
    all.spread(
        p, [from](Index b) { return from[b]; }, reinterpret_cast<Value*>(out));
}

void PointCurrents::test(const Complex* fields, Complex* y) const {
  const auto all = view();
#pragma omp parallel for
  for (Index b = 0; b < num_unknowns; ++b) y[b] += Complex(all.test(b, plain(fields), 1, 1));
}

}  // namespace curlew::ie
