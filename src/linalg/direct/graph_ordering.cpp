// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/graph_ordering.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <Eigen/OrderingMethods>
#include <Eigen/SparseCore>
#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>
#include <mutex>
#include <numeric>

#include "base/error.hpp"
#include "base/random_bits.hpp"

namespace curlew::linalg {
namespace {

struct Pattern {
  std::span<const Offset> offsets;
  std::span<const Index> columns;

  Index size() const { return Index(offsets.size()) - 1; }
  std::span<const Index> row(Index i) const {
    return columns.subspan(offsets[i], offsets[i + 1] - offsets[i]);
  }
};

/// A hash of the set of columns, the diagonal included.
std::uint64_t row_hash(const Pattern& pattern, Index i) {
  std::uint64_t sum = random_bits(std::uint64_t(i));
  for (const Index j : pattern.row(i)) sum += j == i ? 0 : random_bits(std::uint64_t(j));
  return sum;
}

/// Whether two rows have the same columns once both diagonals are added.
bool same_neighbours(const Pattern& pattern, Index i, Index k) {
  const auto a = pattern.row(i), b = pattern.row(k);
  auto p = a.begin(), q = b.begin();
  bool k_in_a = false, i_in_b = false;
  while (true) {
    for (; p != a.end() && (*p == i || *p == k); ++p) k_in_a |= *p == k;
    for (; q != b.end() && (*q == i || *q == k); ++q) i_in_b |= *q == i;
    if (p == a.end() || q == b.end()) return p == a.end() && q == b.end() && k_in_a && i_in_b;
    if (*p++ != *q++) return false;
  }
}

/// Finds the groups. Candidates of equal hash are compared with the first of their group.
std::vector<Index> find_groups(const Pattern& pattern, std::vector<Index>& representatives) {
  const Index n = pattern.size();
  std::vector<std::pair<std::uint64_t, Index>> hashes(n);
#pragma omp parallel for
  for (Index i = 0; i < n; ++i) hashes[i] = {row_hash(pattern, i), i};
  std::sort(hashes.begin(), hashes.end());
  std::vector<Index> leader(n);
  for (Index k = 0, first = 0; k < n; ++k) {
    const Index i = hashes[k].second;
    if (k > 0 &&
        (hashes[k].first != hashes[first].first || !same_neighbours(pattern, hashes[first].second, i)))
      first = k;
    if (k == 0) first = 0;
    leader[i] = hashes[first].second;
  }
  std::vector<Index> group_of(n);
  for (Index i = 0; i < n; ++i) {  // a leader is the smallest of its group, so it is met first
    if (leader[i] == i) {
      group_of[i] = Index(representatives.size());
      representatives.push_back(i);
    } else {
      group_of[i] = group_of[leader[i]];
    }
  }
  return group_of;
}

void require_small(const QuotientGraph& graph) {
  if (graph.offsets.back() > std::numeric_limits<idx_t>::max())
    throw ResourceError(
        fmt::format("METIS: a graph of {} edges exceeds its index type", graph.offsets.back()));
}

void check_metis(int status, const char* what) {
  if (status == METIS_ERROR_MEMORY) throw ResourceError("METIS: not enough memory to divide the matrix");
  if (status != METIS_OK) throw NumericalError(fmt::format("{} failed with status {}", what, status));
}

}  // namespace

QuotientGraph compress_pattern(std::span<const Offset> offsets, std::span<const Index> columns) {
  const Pattern pattern{offsets, columns};
  QuotientGraph graph;
  std::vector<Index> representatives;
  graph.group_of = find_groups(pattern, representatives);
  graph.group_sizes.assign(representatives.size(), 0);
  for (const Index group : graph.group_of) ++graph.group_sizes[group];
  graph.offsets.reserve(representatives.size() + 1);
  graph.offsets.push_back(0);
  std::vector<Index> seen_by(representatives.size(), -1);
  for (Index g = 0; g < graph.num_groups(); ++g) {
    seen_by[g] = g;
    for (const Index j : pattern.row(representatives[g])) {
      const Index neighbour = graph.group_of[j];
      if (seen_by[neighbour] == g) continue;
      seen_by[neighbour] = g;
      graph.neighbours.push_back(neighbour);
    }
    graph.offsets.push_back(Offset(graph.neighbours.size()));
  }
  return graph;
}

std::vector<Index> nested_dissection(const QuotientGraph& graph) {
  require_small(graph);
  idx_t n = graph.num_groups();
  std::vector<idx_t> offsets(graph.offsets.begin(), graph.offsets.end());
  std::vector<idx_t> neighbours(graph.neighbours.begin(), graph.neighbours.end());
  std::vector<idx_t> weights(graph.group_sizes.begin(), graph.group_sizes.end());
  std::vector<idx_t> order(n), position(n);
  if (n > 1) {
    idx_t settings[METIS_NOPTIONS];
    METIS_SetDefaultOptions(settings);
    settings[METIS_OPTION_COMPRESS] = 0;  // done here
    settings[METIS_OPTION_UFACTOR] =
        100;  // parts may differ by 10 % in size: 2 to 10 % fewer operations than by default
    settings[METIS_OPTION_RTYPE] = METIS_RTYPE_SEP2SIDED;  // 2 to 10 % fewer, 20 % more time
    static std::mutex one_call;  // METIS has one random sequence, which each call restarts
    const std::lock_guard<std::mutex> alone(one_call);
    const int status = METIS_NodeND(&n, offsets.data(), neighbours.data(), weights.data(), settings,
                                    order.data(), position.data());
    check_metis(status, "METIS_NodeND");
  }
  std::vector<Index> next(n, 0);  // first position of each group
  Index sum = 0;
  for (idx_t k = 0; k < n; ++k) {
    next[order[k]] = sum;
    sum += graph.group_sizes[order[k]];
  }
  std::vector<Index> positions(graph.group_of.size());
  for (std::size_t i = 0; i < positions.size(); ++i) positions[i] = next[graph.group_of[i]]++;
  return positions;
}

std::vector<Index> minimum_degree(std::span<const Offset> offsets, std::span<const Index> columns) {
  const auto n = Index(offsets.size()) - 1;
  Eigen::SparseMatrix<float> pattern(n, n);
  pattern.resizeNonZeros(Eigen::Index(columns.size()));
  std::copy(offsets.begin(), offsets.end(), pattern.outerIndexPtr());
  std::copy(columns.begin(), columns.end(), pattern.innerIndexPtr());
  std::fill_n(pattern.valuePtr(), columns.size(), 1.0f);
  Eigen::PermutationMatrix<Eigen::Dynamic> order;
  Eigen::internal::minimum_degree_ordering(pattern, order);
  std::vector<Index> positions(static_cast<std::size_t>(n));
  for (Index k = 0; k < n; ++k) positions[std::size_t(order.indices()[k])] = k;
  return positions;
}

namespace {

std::vector<Index> divide_graph(const QuotientGraph& graph, Index parts, const char* name,
                                decltype(&METIS_PartGraphKway) divide) {
  require_small(graph);
  idx_t n = graph.num_groups(), one = 1, count = parts, cut = 0;
  std::vector<idx_t> part(std::size_t(n), 0);
  if (n > 1 && parts > 1) {
    std::vector<idx_t> offsets(graph.offsets.begin(), graph.offsets.end());
    std::vector<idx_t> neighbours(graph.neighbours.begin(), graph.neighbours.end());
    std::vector<idx_t> weights(graph.group_sizes.begin(), graph.group_sizes.end());
    check_metis(divide(&n, &one, offsets.data(), neighbours.data(), weights.data(), nullptr, nullptr, &count,
                       nullptr, nullptr, nullptr, &cut, part.data()),
                name);
  }
  return {part.begin(), part.end()};
}

}  // namespace

std::vector<Index> partition_graph(const QuotientGraph& graph, Index parts) {
  return divide_graph(graph, parts, "METIS_PartGraphKway", METIS_PartGraphKway);
}

namespace {

/// METIS takes about half of its time for the last cuts, among so few groups. A breadth-first search from one
/// end divides them nearly as well: 5 % more entries in the factors, no more operations.
constexpr Index groups_of_metis = 16;

using Groups = std::vector<Index>;  // ascending

/// The groups in the order of a breadth-first search from one of them, each connected component in turn.
Groups search_from(const QuotientGraph& graph, const Groups& groups, Index start) {
  Groups order;
  std::vector<bool> is_found(groups.size(), false);
  const auto find = [&](Index group) {
    const auto place = std::lower_bound(groups.begin(), groups.end(), group);
    if (place == groups.end() || *place != group || is_found[std::size_t(place - groups.begin())]) return;
    is_found[std::size_t(place - groups.begin())] = true;
    order.push_back(group);
  };
  find(start);
  for (std::size_t i = 0; order.size() < groups.size(); ++i) {
    if (i == order.size())
      find(groups[std::size_t(std::find(is_found.begin(), is_found.end(), false) - is_found.begin())]);
    for (Offset k = graph.offsets[std::size_t(order[i])]; k < graph.offsets[std::size_t(order[i]) + 1]; ++k)
      find(graph.neighbours[std::size_t(k)]);
  }
  return order;
}

/// Assigns the groups to parts number 2^levels to (number + 1) 2^levels - 1.
void halve(const QuotientGraph& graph, const Groups& groups, Index number, int levels,
           std::vector<Index>& part) {
  if (levels == 0 || groups.size() < 2) {
    for (const Index group : groups) part[std::size_t(group)] = number << levels;
    return;
  }
  const Groups order = search_from(graph, groups, search_from(graph, groups, groups.front()).back());
  Offset all = 0, before = 0;
  for (const Index group : groups) all += graph.group_sizes[std::size_t(group)];
  Groups halves[2];
  for (const Index group : order) {
    halves[2 * before < all ? 0 : 1].push_back(group);
    before += graph.group_sizes[std::size_t(group)];
  }
  for (const Index half : {0, 1}) {
    std::sort(halves[half].begin(), halves[half].end());
    halve(graph, halves[half], 2 * number + half, levels - 1, part);
  }
}

}  // namespace

std::vector<Index> bisect_graph(const QuotientGraph& graph, Index parts) {
  const Index most = std::max(graph.num_groups() / groups_of_metis, 1);
  const bool is_halved = std::has_single_bit(unsigned(parts));
  const Index large = is_halved ? std::min(parts, Index(std::bit_floor(unsigned(most)))) : parts;
  std::vector<Index> part = divide_graph(graph, large, "METIS_PartGraphRecursive", METIS_PartGraphRecursive);
  auto groups = std::vector<Groups>(std::size_t(large));
  for (Index g = 0; g < graph.num_groups(); ++g) groups[std::size_t(part[std::size_t(g)])].push_back(g);
  const int levels = std::countr_zero(unsigned(parts / large));
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < large; ++i) halve(graph, groups[std::size_t(i)], i, levels, part);
  return part;
}

}  // namespace curlew::linalg
