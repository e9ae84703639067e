// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/dissection.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

namespace curlew::linalg {
namespace {

int depth_of(Index node) {
  return int(std::bit_width(unsigned(node))) - 1;
}

/// Entries between unknowns of two branches.
template <class T>
std::vector<std::pair<Index, Index>> wrong_entries(const DissectionTree& tree, const Csr<T>& a) {
  std::vector<std::pair<Index, Index>> all;
#pragma omp parallel
  {
    std::vector<std::pair<Index, Index>> own;
#pragma omp for schedule(static)
    for (Index i = 0; i < a.num_rows; ++i) {
      const Index node = tree.node_of[std::size_t(i)];
      for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k) {
        const Index j = a.columns[std::size_t(k)], other = tree.node_of[std::size_t(j)];
        if (const Index above = common_ancestor(node, other); above != node && above != other)
          own.emplace_back(std::min(i, j), std::max(i, j));
      }
    }
#pragma omp critical
    all.insert(all.end(), own.begin(), own.end());
  }
  std::sort(all.begin(), all.end());  // the same for any number of threads
  return all;
}

}  // namespace

Index common_ancestor(Index a, Index b) {
  const int depth_a = depth_of(a), depth_b = depth_of(b), depth = std::min(depth_a, depth_b);
  a >>= depth_a - depth, b >>= depth_b - depth;
  return a >> std::bit_width(unsigned(a ^ b));
}

template <class T>
void fit_to_pattern(DissectionTree& tree, const Csr<T>& a) {
  for (auto wrong = wrong_entries(tree, a); !wrong.empty(); wrong = wrong_entries(tree, a)) {
    for (const auto& [i, j] : wrong) {
      Index& node = tree.node_of[std::size_t(j)];
      const Index other = tree.node_of[std::size_t(i)];
      if (const Index above = common_ancestor(node, other); above != other) node = above;
    }
  }
}

DissectionOrder elimination_order(const DissectionTree& tree, int levels) {
  const int depth = std::min(levels - 1, depth_of(tree.num_leaves));
  const std::size_t count = (std::size_t(2) << depth) - 1, end = 2 * std::size_t(tree.num_leaves);
  DissectionOrder order;
  order.part_sizes.assign(count, 0);
  // Lower levels come first, and in a leaf its further subdivisions.
  const auto part_of = [&](Index node) {
    const int extra = std::max(depth_of(node) - depth, 0), own = depth_of(node) - extra;
    const auto first = count + 1 - (std::size_t(2) << own);  // of its level
    return first + std::size_t(node >> extra) - (std::size_t(1) << own);
  };
  std::vector<std::size_t> next(end, 0), parts(end, 0);  // of each node: unknowns, then its next place
  for (const Index node : tree.node_of) ++next[std::size_t(node)];
  std::vector<Index> nodes(end - 1);
  std::iota(nodes.begin(), nodes.end(), 1);
  for (const Index node : nodes) {
    parts[std::size_t(node)] = part_of(node);
    order.part_sizes[parts[std::size_t(node)]] += int(next[std::size_t(node)]);
  }
  std::sort(nodes.begin(), nodes.end(), [&](Index a, Index b) {
    const auto key = [&](Index node) { return std::pair(parts[std::size_t(node)], -node); };
    return key(a) < key(b);
  });
  std::size_t at = 0;
  for (const Index node : nodes) at += std::exchange(next[std::size_t(node)], at);
  order.unknowns.resize(tree.node_of.size());
  for (std::size_t i = 0; i < tree.node_of.size(); ++i)
    order.unknowns[next[std::size_t(tree.node_of[i])]++] = int(i);
  return order;
}

template void fit_to_pattern(DissectionTree&, const Csr<Complex>&);
template void fit_to_pattern(DissectionTree&, const Csr<double>&);

}  // namespace curlew::linalg
