// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/subdomains.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/log.hpp"
#include "linalg/direct/graph_ordering.hpp"
#include "linalg/krylov/impedance.hpp"

namespace curlew::linalg {
namespace {

/// Groups of a part and of `layers` rings of neighbours around it, ascending.
std::vector<Index> grow(const QuotientGraph& graph, const std::vector<Index>& part_of, Index part,
                        int layers) {
  std::vector<char> is_in(part_of.size(), 0);
  std::vector<Index> all;
  for (std::size_t g = 0; g < part_of.size(); ++g)
    if (part_of[g] == part) all.push_back(Index(g)), is_in[g] = 1;
  std::size_t begin = 0;
  for (int layer = 0; layer < layers; ++layer) {
    const std::size_t end = all.size();
    for (std::size_t k = begin; k < end; ++k) {
      const auto g = std::size_t(all[k]);
      for (Offset e = graph.offsets[g]; e < graph.offsets[g + 1]; ++e) {
        const Index next = graph.neighbours[std::size_t(e)];
        if (is_in[std::size_t(next)] != 0) continue;
        is_in[std::size_t(next)] = 1;
        all.push_back(next);
      }
    }
    begin = end;
  }
  std::ranges::sort(all);
  return all;
}

/// Rows of A in each subdomain, ascending.
std::vector<std::vector<Index>> rows_of_parts(const QuotientGraph& graph, const std::vector<Index>& part_of,
                                              Index parts, int layers) {
  std::vector<std::vector<Index>> members(std::size_t(graph.num_groups()));
  for (std::size_t i = 0; i < graph.group_of.size(); ++i)
    members[std::size_t(graph.group_of[i])].push_back(Index(i));
  std::vector<std::vector<Index>> rows(static_cast<std::size_t>(parts));
#pragma omp parallel for schedule(dynamic)
  for (Index p = 0; p < parts; ++p) {
    auto& to = rows[std::size_t(p)];
    for (const Index g : grow(graph, part_of, p, layers))
      to.insert(to.end(), members[std::size_t(g)].begin(), members[std::size_t(g)].end());
    std::ranges::sort(to);
  }
  return rows;
}

/// Calls entry(k, column) for the entries of A in row `row` whose columns are in the subdomain.
template <class Entry>
void for_entries(const Csr<Complex>& a, Index row, const std::vector<Index>& place, Entry&& entry) {
  for (Offset k = a.row_offsets[std::size_t(row)]; k < a.row_offsets[std::size_t(row) + 1]; ++k) {
    const Index column = place[std::size_t(a.columns[std::size_t(k)])];
    if (column >= 0) entry(k, column);
  }
}

/// The block-diagonal matrix: counted by a first sweep over the parts, filled by a second.
void fill_matrix(const Csr<Complex>& a, const std::vector<std::vector<Index>>& parts,
                 const std::vector<Index>& first, Csr<Complex>& m) {
  m.row_offsets.assign(std::size_t(m.num_rows) + 1, 0);
  for (const bool counting : {true, false}) {
    if (!counting) {
      std::partial_sum(m.row_offsets.begin(), m.row_offsets.end(), m.row_offsets.begin());
      m.columns.resize(std::size_t(m.nnz())), m.values.resize(std::size_t(m.nnz()));
    }
#pragma omp parallel
    {
      std::vector<Index> place(std::size_t(a.num_rows), -1);
#pragma omp for schedule(dynamic)
      for (std::size_t p = 0; p < parts.size(); ++p) {
        const auto& rows = parts[p];
        for (std::size_t i = 0; i < rows.size(); ++i) place[std::size_t(rows[i])] = first[p] + Index(i);
        for (std::size_t i = 0; i < rows.size(); ++i) {
          const auto to = std::size_t(first[p]) + i;
          Offset next = counting ? 0 : m.row_offsets[to];  // counted by the previous part
          for_entries(a, rows[i], place, [&](Offset k, Index column) {
            if (counting) {
              ++m.row_offsets[to + 1];
              return;
            }
            m.columns[std::size_t(next)] = column;
            m.values[std::size_t(next++)] = a.values[std::size_t(k)];
          });
        }
        for (const Index row : rows) place[std::size_t(row)] = -1;
      }
    }
  }
}

}  // namespace

Subdomains divide(const Csr<Complex>& a, Index parts, int layers, bool symmetric, const CellMatrices* cells) {
  const QuotientGraph graph = compress_pattern(a.row_offsets, a.columns);
  const std::vector<Index> part_of = partition_graph(graph, parts);
  const auto rows = rows_of_parts(graph, part_of, parts, layers);
  Subdomains s;
  for (const auto& part : rows) {
    s.first.push_back(Index(s.rows.size()));
    s.rows.insert(s.rows.end(), part.begin(), part.end());
  }
  s.first.push_back(Index(s.rows.size()));
  s.matrix.num_rows = s.matrix.num_cols = Index(s.rows.size());
  const auto largest = std::ranges::max_element(rows, {}, [](const auto& part) { return part.size(); });
  log::info("{} subdomains of at most {} of {} unknowns", parts, largest->size(), a.num_rows);
  fill_matrix(a, rows, s.first, s.matrix);
  s.offsets.assign(std::size_t(a.num_rows) + 1, 0);
  for (const Index row : s.rows) ++s.offsets[std::size_t(row) + 1];
  std::partial_sum(s.offsets.begin(), s.offsets.end(), s.offsets.begin());
  s.places.resize(s.rows.size());
  std::vector<Offset> next(s.offsets.begin(), s.offsets.end() - 1);
  for (std::size_t k = 0; k < s.rows.size(); ++k)
    s.places[std::size_t(next[std::size_t(s.rows[k])]++)] = Index(k);
  s.part_of.resize(std::size_t(a.num_rows));
  for (std::size_t i = 0; i < s.part_of.size(); ++i) s.part_of[i] = part_of[std::size_t(graph.group_of[i])];
  s.into.assign(s.rows.size(), 1), s.out.assign(s.rows.size(), 0);
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t i = 0; i < rows[p].size(); ++i) {
      const auto row = std::size_t(rows[p][i]), k = std::size_t(s.first[p]) + i;
      const double shared = double(s.offsets[row + 1] - s.offsets[row]);
      if (symmetric) s.into[k] = s.out[k] = 1 / std::sqrt(shared);
      if (!symmetric && s.part_of[row] == Index(p)) s.out[k] = 1;
    }
  if (cells != nullptr && layers > 0) close_by_impedance(*cells, s);
  return s;
}

}  // namespace curlew::linalg
