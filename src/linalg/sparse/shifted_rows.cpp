// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/shifted_rows.hpp"

#include <algorithm>
#include <unordered_map>

namespace curlew::linalg {
namespace {

template <class T>
std::uint64_t hash_shifts(const Csr<T>& a, Index row) {
  std::uint64_t h = 1469598103934665603u;  // FNV-1a
  for (Offset k = a.row_offsets[row]; k < a.row_offsets[row + 1]; ++k)
    h = (h ^ std::uint64_t(std::uint32_t(a.columns[k] - row))) * 1099511628211u;
  return h;
}

template <class T>
bool is_shift(const Csr<T>& a, Index i, Index j) {
  const auto begin = a.columns.begin();
  return std::equal(begin + a.row_offsets[i], begin + a.row_offsets[i + 1], begin + a.row_offsets[j],
                    begin + a.row_offsets[j + 1], [&](Index p, Index q) { return p - i == q - j; });
}

}  // namespace

template <class T>
std::vector<Index> shifted_rows(const Csr<T>& a, const RowGroups& groups, Index batch) {
  const auto row_of = [&](std::size_t g) { return groups.rows[std::size_t(groups.groups[g].first)]; };
  std::vector<std::uint64_t> hashes(groups.groups.size());
#pragma omp parallel for schedule(static)
  for (std::size_t g = 0; g < hashes.size(); ++g)
    hashes[g] = hash_shifts(a, row_of(g)) ^ std::uint64_t(groups.groups[g].is_real);
  std::size_t alike = 0;  // neighbours on a grid are mostly neighbours in number
  for (std::size_t g = 1; g < hashes.size(); ++g) alike += hashes[g] == hashes[g - 1] ? 1 : 0;
  std::vector<Index> out;
  if (8 * alike < hashes.size()) return out;
  std::unordered_map<std::uint64_t, std::vector<Index>> open;  // runs that are not full yet
  for (std::size_t g = 0; g < hashes.size(); ++g) {
    const RowGroup& group = groups.groups[g];
    const Index row = row_of(g);
    if (group.size > 1 || a.row_offsets[row] == a.row_offsets[row + 1]) continue;
    auto& run = open[hashes[g]];
    if (!run.empty()) {
      const auto first = std::size_t(run.front());
      if (groups.groups[first].is_real != group.is_real || !is_shift(a, row_of(first), row)) continue;
    }
    run.push_back(Index(g));
    if (Index(run.size()) < batch) continue;
    out.insert(out.end(), run.begin(), run.end());
    run.clear();
  }
  return out;
}

template std::vector<Index> shifted_rows(const Csr<Complex>&, const RowGroups&, Index);
template std::vector<Index> shifted_rows(const Csr<ComplexF>&, const RowGroups&, Index);

}  // namespace curlew::linalg
