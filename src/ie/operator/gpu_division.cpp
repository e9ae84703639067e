// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/gpu_division.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::ie {
namespace {

/// Usable fraction of the free memory; the rest is for errors of the estimates.
constexpr double usable = 0.9;

}  // namespace

GpuDivision divide_gpus(const GpuNeeds& needs, int asked, Index waves, const std::vector<std::size_t>& free) {
  const int there = int(free.size()), most = asked > 0 ? asked : there;
  const double least = usable * double(*std::ranges::min_element(free));
  // With as many waves as GPUs, or fewer, sharing rows keeps all of them busy.
  if (most > 1 && most <= there && waves > most && double(needs.of_operator + needs.of_vectors) <= least)
    return {most, true};
  if (!needs.can_share_rows) return {1, false};
  if (asked > 0) return {asked, false};
  const double room = usable * double(free[0]) - double(needs.of_vectors);
  const double needed = room > 0 ? std::ceil(double(needs.of_operator) / room) : 1e9;
  return {int(std::clamp(needed, 1.0, double(there))), false};
}

std::vector<Index> share_waves(Index waves, int shares) {
  std::vector<Index> first;
  for (int i = 0; i <= shares; ++i) first.push_back(Index(Offset(waves) * i / shares));
  return first;
}

std::vector<Index> groups_in_turn(Index waves, int takers, Index largest) {
  // Half of an equal share of the rest, so that a slow group does not delay the end.
  const Index parts = 2 * Index(takers), least = std::max<Index>(1, largest / 4);
  std::vector<Index> first{0};
  while (first.back() < waves) {
    const Index left = waves - first.back();
    first.push_back(first.back() + std::min(left, std::clamp(left / parts, least, largest)));
  }
  return first;
}

}  // namespace curlew::ie
