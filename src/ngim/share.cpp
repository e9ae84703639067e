// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/share.hpp"

#include <numeric>

#include "ngim/bisection_tree.hpp"

namespace curlew::ngim {

std::vector<char> points_of_share(std::span<const Vec3<double>> at, Share share) {
  if (share.is_all()) return {};
  std::vector<Index> order(at.size());
  std::iota(order.begin(), order.end(), Index(0));
  std::span<Index> group(order);
  while (share.count > 1 && !group.empty()) {
    const int lower = share.count / 2;  // pieces below the cut
    const auto cut = group.size() * std::size_t(lower) / std::size_t(share.count);
    cut_widest(group, at, cut);
    const bool is_lower = share.index < lower;
    group = is_lower ? group.first(cut) : group.subspan(cut);
    share = is_lower ? Share{share.index, lower} : Share{share.index - lower, share.count - lower};
  }
  std::vector<char> own(at.size(), 0);
  for (const Index i : group) own[i] = 1;
  return own;
}

}  // namespace curlew::ngim
