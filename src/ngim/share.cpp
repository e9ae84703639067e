// SPDX-License-Identifier: BSD-3-Clause
#include "ngim/share.hpp"

#include <algorithm>
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

namespace {

// Boxes of the level that is cut: few enough that all devices can make those above.
constexpr Index most_cut_boxes = 4096;

/// Extra work of a cut through boxes of a level, as a number of sources: those of leaves above, which every
/// device sums, and of the largest box, by which the pieces may differ.
Offset cost_of_cut(std::span<const SourceRange> level, Offset num_sources) {
  Offset covered = 0, largest = 0;
  for (const SourceRange& box : level) covered += box.count, largest = std::max(largest, box.count);
  return num_sources - covered + largest;
}

int level_to_cut(std::span<const Index> level_begin, std::span<const SourceRange> sources,
                 int first_grid_level) {
  const auto cost = [&](int level) {
    const auto l = std::size_t(level);
    return cost_of_cut(
        sources.subspan(std::size_t(level_begin[l]), std::size_t(level_begin[l + 1] - level_begin[l])),
        sources[0].count);
  };
  int best = first_grid_level;
  for (int l = best + 1; l + 1 < int(level_begin.size()); ++l)
    if (level_begin[std::size_t(l) + 1] - level_begin[std::size_t(l)] <= most_cut_boxes &&
        cost(l) < cost(best))
      best = l;
  return best;
}

/// First of the boxes [begin, end) with a source at or behind `cut`.
Index first_at(std::span<const SourceRange> sources, Index begin, Index end, Offset cut) {
  const auto is_before = [](const SourceRange& box, Offset place) { return box.begin < place; };
  return Index(std::lower_bound(sources.begin() + begin, sources.begin() + end, cut, is_before) -
               sources.begin());
}

}  // namespace

BoxShares divide_boxes(std::span<const Index> level_begin, std::span<const SourceRange> sources,
                       int first_grid_level, int count) {
  BoxShares shares;
  const int num_levels = int(level_begin.size()) - 1;
  shares.begin.resize(std::size_t(num_levels));
  if (first_grid_level >= num_levels) {
    shares.first_level = num_levels;
    return shares;
  }
  shares.first_level = count == 1 ? first_grid_level : level_to_cut(level_begin, sources, first_grid_level);
  const auto boxes_of = [&](int l) {
    return std::pair(level_begin[std::size_t(l)], level_begin[std::size_t(l) + 1]);
  };
  const auto [first, last] = boxes_of(shares.first_level);
  const Offset num_sources = sources[0].count;
  std::vector<Offset> cuts;  // [count - 1], each where a box of the level begins
  for (int i = 1; i < count; ++i) {
    const Offset even = num_sources / count * i + num_sources % count * i / count;
    const Index after = first_at(sources, first, last, even);
    const auto distance = [&](Index box) { return std::abs(sources[std::size_t(box)].begin - even); };
    const Index best =
        after == last || (after > first && distance(after - 1) < distance(after)) ? after - 1 : after;
    cuts.push_back(sources[std::size_t(best)].begin);
  }
  for (int l = shares.first_level; l < num_levels; ++l) {
    const auto [begin, end] = boxes_of(l);
    auto& row = shares.begin[std::size_t(l)];
    row.push_back(begin);
    for (const Offset cut : cuts) row.push_back(first_at(sources, begin, end, cut));
    row.push_back(end);
  }
  return shares;
}

std::vector<Index> leaves_of_share(const BoxShares& shares, int index, std::span<const Index> level_begin,
                                   std::span<const Index> leaves, int first_grid_level) {
  std::vector<Index> own;
  const auto add = [&](Index begin, Index end) {
    const auto first = std::lower_bound(leaves.begin(), leaves.end(), begin);
    own.insert(own.end(), first, std::lower_bound(first, leaves.end(), end));
  };
  for (int l = first_grid_level; l + 1 < int(level_begin.size()); ++l) {
    const auto& row = shares.begin[std::size_t(l)];
    if (row.empty())
      add(level_begin[std::size_t(l)], level_begin[std::size_t(l) + 1]);
    else
      add(row[std::size_t(index)], row[std::size_t(index) + 1]);
  }
  return own;
}

}  // namespace curlew::ngim
