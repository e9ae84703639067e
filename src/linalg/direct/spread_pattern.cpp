// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/spread_pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "linalg/attempt.hpp"
#include "linalg/direct/dissection.hpp"
#include "linalg/direct/graph_ordering.hpp"

namespace curlew::linalg {
namespace {

/// The entries between unknowns that have a number, without the diagonal. @param number [unknowns] -1: none
template <class Body>
void each_entry(const Csr<Complex>& a, const std::vector<Index>& number, const Body& body) {
  for (Index i = 0; i < a.num_rows; ++i) {
    const Index row = number[std::size_t(i)];
    if (row < 0) continue;
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (const Index j = number[std::size_t(a.columns[std::size_t(k)])]; j >= 0 && j != row) body(row, j);
  }
}

/// Values of all processes on process 0; elsewhere none.
std::vector<Index> gathered(const ProcessGroup& group, const std::vector<Index>& own) {
  std::vector<std::vector<std::size_t>> counts(std::size_t(group.size()));
  counts[0] = {own.size()};
  std::vector<std::size_t> in_begin{0}, out_begin(counts.size() + 1, own.size() * sizeof(Index));
  out_begin[0] = 0;
  for (const auto& count : deal(group, counts))
    in_begin.push_back(in_begin.back() + (count.empty() ? 0 : count[0] * sizeof(Index)));
  std::vector<Index> all(in_begin.back() / sizeof(Index));
  group.exchange(reinterpret_cast<const char*>(own.data()), out_begin, reinterpret_cast<char*>(all.data()),
                 in_begin);
  return all;
}

/// Columns of both triangles, ascending, each once.
struct Pattern {
  std::vector<Offset> offsets;
  std::vector<Index> columns;
};

Pattern both_triangles(const Csr<Complex>& a, const std::vector<Index>& number, Index unknowns) {
  Pattern pattern;
  pattern.offsets.assign(std::size_t(unknowns) + 1, 0);
  each_entry(a, number, [&](Index i, Index j) {
    ++pattern.offsets[std::size_t(i) + 1], ++pattern.offsets[std::size_t(j) + 1];
  });
  for (std::size_t i = 0; i < std::size_t(unknowns); ++i) pattern.offsets[i + 1] += pattern.offsets[i];
  pattern.columns.resize(std::size_t(pattern.offsets.back()));
  std::vector<Offset> next(pattern.offsets.begin(), pattern.offsets.end() - 1);
  each_entry(a, number, [&](Index i, Index j) {
    pattern.columns[std::size_t(next[std::size_t(i)]++)] = j;
    pattern.columns[std::size_t(next[std::size_t(j)]++)] = i;
  });
  return pattern;
}

void sort_and_unite(Pattern& pattern) {
  Offset kept = 0, begin = 0;
  for (std::size_t i = 0; i + 1 < pattern.offsets.size(); ++i) {
    const auto first = pattern.columns.begin() + begin,
               last = pattern.columns.begin() + pattern.offsets[i + 1];
    std::sort(first, last);
    const auto end = std::unique(first, last);
    begin = pattern.offsets[i + 1];
    kept = std::move(first, end, pattern.columns.begin() + kept) - pattern.columns.begin();
    pattern.offsets[i + 1] = kept;
  }
  pattern.columns.resize(std::size_t(kept));
}

/// Nodes of a binary tree of processes, numbered as those of a DissectionTree: the children of a range of
/// processes are its halves. They are divided as METIS divides its parts, the smaller half first.
std::vector<Index> nodes_of_processes(int count) {
  std::vector<Index> nodes(std::size_t(count), 1);
  const auto divide = [&](auto&& self, Index node, int first, int end) -> void {
    if (end - first == 1) {
      nodes[std::size_t(first)] = node;
      return;
    }
    const int middle = first + (end - first) / 2;
    self(self, 2 * node, first, middle), self(self, 2 * node + 1, middle, end);
  };
  divide(divide, 1, 0, count);
  return nodes;
}

/// [unknowns] the first process with entries in the row of each; the last one for empty rows.
std::vector<Index> first_processes(const ProcessGroup& group, const Csr<Complex>& own) {
  std::vector<Index> from_end(std::size_t(own.num_rows), 0);
  for (Index i = 0; i < own.num_rows; ++i)
    if (own.row_offsets[std::size_t(i)] < own.row_offsets[std::size_t(i) + 1])
      from_end[std::size_t(i)] = group.size() - 1 - group.rank();
  group.largest(from_end.data(), from_end.size());
  for (Index& process : from_end) process = group.size() - 1 - process;
  return from_end;
}

/// If unknowns of two processes share an entry, that of the lower process moves up to the common ancestor of
/// their branches. Each unknown is then above its own process, and no entry is between two
/// branches.
std::vector<Index> nodes_of_unknowns(const ProcessGroup& group, const Csr<Complex>& own,
                                     const std::vector<Index>& process) {
  const std::vector<Index> nodes = nodes_of_processes(group.size());
  std::vector<Index> node(process.size());
  for (std::size_t i = 0; i < node.size(); ++i) node[i] = -nodes[std::size_t(process[i])];
  for (Index i = 0; i < own.num_rows; ++i)
    for (Offset k = own.row_offsets[std::size_t(i)]; k < own.row_offsets[std::size_t(i) + 1]; ++k) {
      const Index j = own.columns[std::size_t(k)], p = process[std::size_t(i)], q = process[std::size_t(j)];
      if (p == q) continue;
      Index& moved = node[std::size_t(p < q ? i : j)];
      moved = std::max(moved, -common_ancestor(nodes[std::size_t(p)], nodes[std::size_t(q)]));
    }
  group.largest(node.data(), node.size());  // the highest one: nodes above each other have smaller numbers
  for (Index& n : node) n = -n;
  return node;
}

/// Positions of the unknowns within their process by METIS, in ascending order of the unknowns.
std::vector<Index> ordered_within(const Csr<Complex>& own, const std::vector<Index>& process,
                                  const std::vector<Index>& node, Index here, Index own_node) {
  std::vector<Index> number(process.size(), -1);
  Index count = 0;
  for (std::size_t i = 0; i < number.size(); ++i)
    if (process[i] == here && node[i] == own_node) number[i] = count++;
  Pattern pattern = both_triangles(own, number, count);
  sort_and_unite(pattern);
  return nested_dissection(compress_pattern(pattern.offsets, pattern.columns));
}

}  // namespace

std::vector<Index> dissection_by_processes(const ProcessGroup& group, const Csr<Complex>& own) {
  const std::vector<Index> process = first_processes(group, own),
                           node = nodes_of_unknowns(group, own, process),
                           nodes = nodes_of_processes(group.size());
  std::vector<Index> within;
  on_each(group, [&] {
    within = ordered_within(own, process, node, group.rank(), nodes[std::size_t(group.rank())]);
  });
  const std::vector<Index> all = gathered(group, within);
  if (group.rank() != 0) return {};
  // First the unknowns within each process, whose orderings came in this order, then what separates them, the
  // lowest nodes first.
  const auto is_within = [&](std::size_t i) { return node[i] == nodes[std::size_t(process[i])]; };
  std::vector<Index> first(nodes.size() + 1, 0), next;
  for (std::size_t i = 0; i < node.size(); ++i)
    if (is_within(i)) ++first[std::size_t(process[i]) + 1];
  for (std::size_t p = 1; p < first.size(); ++p) first[p] += first[p - 1];
  std::vector<Index> above(std::size_t(*std::ranges::max_element(nodes)) + 1, 0);
  for (std::size_t i = 0; i < node.size(); ++i)
    if (!is_within(i)) ++above[std::size_t(node[i])];
  Index place = first.back();
  for (std::size_t n = above.size(); n-- > 0;) place += std::exchange(above[n], place);
  next = first;
  std::vector<Index> positions(node.size());
  for (std::size_t i = 0; i < node.size(); ++i) {
    const auto p = std::size_t(process[i]);
    positions[i] = is_within(i) ? first[p] + all[std::size_t(next[p]++)] : above[std::size_t(node[i])]++;
  }
  return positions;
}

}  // namespace curlew::linalg
