// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/near_matrix.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "base/threads.hpp"

namespace curlew::ie {
namespace {

/// Entries sorted by row and column, none twice.
using Part = std::vector<Entry>;

PairBlock block_of(const System& system, int region, Index test, Index source, NearPart part) {
  const auto& integrals = system.integrals(region);
  PairBlock block =
      integrals.exact(test, source, system.needs_magnetic(region), system.needs_rotated(region));
  if (part == NearPart::entries) return block;
  const PairBlock points = integrals.points(test, source, integrals.far_rule());
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      block.electric[i][j] -= points.electric[i][j];
      block.magnetic[i][j] -= points.magnetic[i][j];
      block.rotated[i][j] -= points.rotated[i][j];
    }
  }
  return block;
}

/// Adds the pairs of one region, by test triangle of the mesh: rows of its functions.
void add_region(const System& system, int region, NearPairs pairs, NearPart part,
                const std::vector<char>& of_share, std::vector<Part>& parts) {
  const auto& triangles = system.scene().regions[region].triangles;
  const auto list = near_pairs(system, region, pairs, of_share);
  const std::size_t kinds = system.needs_magnetic(region) ? 4 : 1;
  require_memory(std::size_t(list.num_pairs()) * kinds * 6 * sizeof(Entry), "near corrections");
#pragma omp parallel
  {
    Part own;
#pragma omp for schedule(dynamic, 16)
    for (Index i = 0; i < Index(triangles.size()); ++i) {
      if (is_interrupted()) continue;
      const Index test = triangles[i];
      own = parts[test];
      for (Offset e = list.offsets[i]; e < list.offsets[i + 1]; ++e) {
        const Index source = triangles[list.columns[e]];
        system.visit_pair(region, test, source, block_of(system, region, test, source, part),
                          [&](Index row, Index column, int, Complex value) {
                            own.push_back({row, column, value});
                          });
      }
      add_up(own);
      parts[test] = own;
    }
  }
  check_interrupt();
}

/// The function of every unknown: its entries are with its triangles.
std::vector<Index> functions_of_unknowns(const System& system) {
  std::vector<Index> out(std::size_t(system.num_unknowns()));
  for (Index f = 0; f < system.num_electric(); ++f) {
    out[f] = f;
    if (system.magnetic_unknown(f) >= 0) out[system.magnetic_unknown(f)] = f;
  }
  return out;
}

/// [unknowns] 1 for the rows of a share of the functions; empty: all
std::vector<char> unknowns_of_share(const System& system, std::vector<char> of_share) {
  if (of_share.empty()) return {};
  std::vector<char> rows = std::move(of_share);
  rows.resize(std::size_t(system.num_unknowns()), 0);
  for (Index f = 0; f < system.num_electric(); ++f)
    if (system.magnetic_unknown(f) >= 0) rows[system.magnetic_unknown(f)] = rows[f];
  return rows;
}

void append_row(const Part& part, Index row, Part& out) {
  const auto by_row = [](const Entry& e, Index r) { return e.row < r; };
  for (auto it = std::lower_bound(part.begin(), part.end(), row, by_row); it != part.end() && it->row == row;
       ++it)
    out.push_back(*it);
}

/// Rows from the parts of their triangles.
linalg::Csr<Complex> join(const System& system, const std::vector<char>& of_share, std::vector<Part> parts) {
  const auto function = functions_of_unknowns(system);
  const auto kept = unknowns_of_share(system, of_share);
  const Index n = system.num_unknowns();
  std::vector<Part> rows(static_cast<std::size_t>(n));
#pragma omp parallel for schedule(dynamic, 256)
  for (Index row = 0; row < n; ++row) {
    if (!kept.empty() && kept[row] == 0) continue;
    Part own;
    system.space().for_each_part(
        function[row], [&](const FunctionPart& part) { append_row(parts[part.triangle], row, own); });
    add_up(own);
    rows[row] = Part(own.begin(), own.end());
  }
  parts = {};
  linalg::Csr<Complex> a;
  a.num_rows = a.num_cols = n;
  a.row_offsets.assign(std::size_t(n) + 1, 0);
  for (Index row = 0; row < n; ++row) a.row_offsets[row + 1] = a.row_offsets[row] + Offset(rows[row].size());
  a.columns.resize(std::size_t(a.nnz())), a.values.resize(std::size_t(a.nnz()));
#pragma omp parallel for schedule(static)
  for (Index row = 0; row < n; ++row) {
    Offset to = a.row_offsets[row];
    for (const Entry& e : rows[row]) a.columns[to] = e.column, a.values[to++] = e.value;
    rows[row] = {};
  }
  return a;
}

}  // namespace

linalg::Csr<Complex> near_matrix(const System& system, const std::vector<Entry>& loads, NearPairs pairs,
                                 NearPart part, const std::vector<char>& of_share) {
  std::vector<Part> parts(std::size_t(system.mesh().num_triangles()));
  for (Index t = 0; t < system.mesh().num_triangles(); ++t) system.add_gram(t, parts[t]);
  const auto function = functions_of_unknowns(system);
  for (const Entry& e : loads) parts[system.space().part(function[e.row], 0).triangle].push_back(e);
  for (int region = 0; region < int(system.scene().regions.size()); ++region)
    add_region(system, region, pairs, part, of_share, parts);
  return join(system, of_share, std::move(parts));
}

NearMatrixSize estimate_near_matrix(const System& system, NearPairs pairs) {
  NearMatrixSize size{0, 0};
  for (int region = 0; region < int(system.scene().regions.size()); ++region) {
    // Triangles of edges h cover 0.433 h^2 of the circle of radius reach h. A pair has nine entries (four
    // times that with magnetic currents), of which it shares about half with its neighbours.
    const double reach = reach_of(system.integrals(region).accuracy(), pairs);
    const double count = pi * reach * reach / 0.433 * double(system.scene().regions[region].triangles.size());
    const double kinds = system.needs_magnetic(region) ? 4 : 1;
    size.entries += std::size_t(4 * kinds * count);
    size.making_bytes += std::size_t(6 * kinds * count * sizeof(Entry));
  }
  size.making_bytes += size.bytes();
  return size;
}

}  // namespace curlew::ie
