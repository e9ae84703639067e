// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/spread_pattern.hpp"

#include <algorithm>
#include <cstddef>

namespace curlew::linalg {
namespace {

/// Rows one after the other, each as its number, the number of its entries and their columns. Empty ones and
/// diagonals are left out.
std::vector<Index> packed_rows(const Csr<Complex>& a) {
  std::vector<Index> packed;
  packed.reserve(a.columns.size() + 2 * std::size_t(a.num_rows));
  for (Index i = 0; i < a.num_rows; ++i) {
    const std::size_t begin = packed.size();
    packed.insert(packed.end(), {i, 0});
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      if (const Index j = a.columns[std::size_t(k)]; j != i) packed.push_back(j);
    const std::size_t entries = packed.size() - begin - 2;
    packed[begin + 1] = Index(entries);
    if (entries == 0) packed.resize(begin);
  }
  return packed;
}

template <class Body>
void each_entry(const std::vector<Index>& packed, const Body& body) {
  for (std::size_t k = 0; k < packed.size();) {
    const Index row = packed[k], entries = packed[k + 1];
    k += 2;
    for (Index e = 0; e < entries; ++e, ++k) body(row, packed[k]);
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

Pattern both_triangles(const std::vector<Index>& packed, Index unknowns) {
  Pattern pattern;
  pattern.offsets.assign(std::size_t(unknowns) + 1, 0);
  each_entry(packed, [&](Index i, Index j) {
    ++pattern.offsets[std::size_t(i) + 1], ++pattern.offsets[std::size_t(j) + 1];
  });
  for (std::size_t i = 0; i < std::size_t(unknowns); ++i) pattern.offsets[i + 1] += pattern.offsets[i];
  pattern.columns.resize(std::size_t(pattern.offsets.back()));
  std::vector<Offset> next(pattern.offsets.begin(), pattern.offsets.end() - 1);
  each_entry(packed, [&](Index i, Index j) {
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

}  // namespace

QuotientGraph spread_graph(const ProcessGroup& group, const Csr<Complex>& own) {
  Pattern pattern;
  {
    const std::vector<Index> packed = gathered(group, packed_rows(own));
    pattern = both_triangles(packed, group.rank() == 0 ? own.num_rows : 0);
  }
  sort_and_unite(pattern);
  return compress_pattern(pattern.offsets, pattern.columns);
}

std::vector<Index> spread_dissection(const ProcessGroup& group, const Csr<Complex>& own) {
  const QuotientGraph graph = spread_graph(group, own);
  return group.rank() == 0 ? nested_dissection(graph) : std::vector<Index>{};
}

}  // namespace curlew::linalg
