// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A binary tree over points: groups halved at the median of their widest extent until one point is left.

#include <algorithm>
#include <span>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

/// Sorts a group so that its first `cut` points are below the others along the widest extent; equal
/// coordinates are ordered by index. @param[in,out] group indices of points, at least one @param at [points]
/// [m]
inline void cut_widest(std::span<Index> group, std::span<const Vec3<double>> at, std::size_t cut) {
  Vec3<double> low = at[group[0]], high = low;
  for (const Index i : group) {
    for (int d = 0; d < 3; ++d) low[d] = std::min(low[d], at[i][d]), high[d] = std::max(high[d], at[i][d]);
  }
  int axis = 0;
  for (int d = 1; d < 3; ++d)
    if (high[d] - low[d] > high[axis] - low[axis]) axis = d;
  std::nth_element(group.begin(), group.begin() + std::ptrdiff_t(cut), group.end(), [&](Index a, Index b) {
    return at[a][axis] < at[b][axis] || (at[a][axis] == at[b][axis] && a < b);
  });
}

/// Calls visit(one half, other half) for every group of two points or more, parents before children.
/// @param[in,out] group indices of points, which it sorts @param at [points] [m]
template <class Visit>
void halve(std::span<Index> group, std::span<const Vec3<double>> at, Visit&& visit) {
  if (group.size() < 2) return;
  const auto half = group.size() / 2;
  cut_widest(group, at, half);
  const auto one = group.first(half), other = group.subspan(half);
  visit(one, other);
  halve(one, at, visit);
  halve(other, at, visit);
}

}  // namespace curlew::ngim
