// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/point_currents.hpp"

#include <algorithm>
#include <numeric>

namespace curlew::ie {

void PointCurrents::index_uses() {
  observer_of.resize(unknowns.size());
  for (Offset p = 0; p < num_points(); ++p)
    for (Offset e = offsets[p]; e < offsets[p + 1]; ++e) observer_of[e] = Index(p);
  index_entries({});
}

void PointCurrents::restrict_tests(const std::vector<char>& rows) {
  if (rows.empty()) return;
  observers.clear();
  for (Offset p = 0; p < num_points(); ++p) {
    const auto first = unknowns.begin() + offsets[p], last = unknowns.begin() + offsets[p + 1];
    const bool is_tested = std::any_of(first, last, [&](Index b) { return rows[b] != 0; });
    if (is_tested) observers.push_back(points[p]);
    for (Offset e = offsets[p]; e < offsets[p + 1]; ++e)
      observer_of[e] = is_tested ? Index(observers.size()) - 1 : -1;
  }
  index_entries(rows);
}

void PointCurrents::index_entries(const std::vector<char>& rows) {
  const auto is_used = [&](Index b) { return rows.empty() || rows[b] != 0; };
  use_offsets.assign(std::size_t(num_unknowns) + 1, 0);
  for (const Index b : unknowns) use_offsets[b + 1] += is_used(b) ? 1 : 0;
  std::partial_sum(use_offsets.begin(), use_offsets.end(), use_offsets.begin());
  uses.resize(std::size_t(use_offsets.back()));
  auto next = use_offsets;
  for (Offset e = 0; e < Offset(unknowns.size()); ++e)
    if (is_used(unknowns[e])) uses[next[unknowns[e]]++] = e;
}

PointCurrentsView PointCurrents::view() const {
  return {num_points(),    num_unknowns,       offsets.data(),
          unknowns.data(), current.data(),     rotated.empty() ? nullptr : rotated.data(),
          charge.data(),   use_offsets.data(), uses.data(),
          num_observers(), observer_of.data()};
}

}  // namespace curlew::ie
