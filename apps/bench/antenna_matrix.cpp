// SPDX-License-Identifier: BSD-3-Clause
// The antenna matrix of the Sliced ELLR-T paper, generated: its mesh (antenna_mesh.hpp), couplings adjusted
// to the counts of table 1 (antenna_pattern.hpp), and values.
#include <algorithm>
#include <map>

#include "bench/antenna_pattern.hpp"
#include "bench/sparse_matrices.hpp"

namespace curlew::bench {
namespace {

/// A value that depends on the unordered pair alone.
Complex pair_value(std::uint64_t i, std::uint64_t j, bool is_complex) {
  const std::uint64_t h = mix(std::min(i, j) * 0x9e3779b97f4a7c15ull + std::max(i, j));
  const double re = double(h & 0xffffffu) / 0x800000 - 1, im = double(h >> 24 & 0xffffffu) / 0x800000 - 1;
  return {re + (i == j ? 30.0 : 0.0), is_complex ? im : 0.0};
}

linalg::Csr<Complex> matrix_of(const CouplePattern& pattern, std::array<Index, 4>& offsets,
                               double complex_share) {
  const auto& couples = pattern.couples();
  const auto& entities = pattern.mesh().entities;
  const int n = int(couples.size());
  std::vector<std::array<Index, 3>> first(n);
  offsets[0] = 0;
  for (int a = 0; a < 3; ++a) {
    Index next = offsets[a];
    for (int e = 0; e < n; ++e) {
      first[e][a] = next;
      next += antenna_dofs[entities[e].kind][a];
    }
    offsets[a + 1] = next;
  }
  std::map<Index, std::vector<std::pair<Index, bool>>> changes;  // by row: column, added or removed
  for (const auto& [e, a, f, b, added] : pattern.singles()) {
    for (int i = 0; i < antenna_dofs[entities[e].kind][a]; ++i) {
      for (int j = 0; j < antenna_dofs[entities[f].kind][b]; ++j) {
        changes[first[e][a] + i].emplace_back(first[f][b] + j, added);
        changes[first[f][b] + j].emplace_back(first[e][a] + i, added);
      }
    }
  }
  const double border = antenna_box[0] * (1 - complex_share);
  linalg::Csr<Complex> m;
  m.num_rows = m.num_cols = offsets[3];
  for (int a = 0; a < 3; ++a) {
    for (int e = 0; e < n; ++e) {
      const Entity& entity = entities[e];
      for (int i = 0; i < antenna_dofs[entity.kind][a]; ++i) {
        const Index row = first[e][a] + i;
        std::vector<std::pair<Index, bool>> columns;  // column, complex
        for (const int f : couples[e]) {
          const bool is_complex = std::max(entity.centre[0], entities[f].centre[0]) > border;
          for (int b = 0; b < 3; ++b) {
            for (int j = 0; j < antenna_dofs[entities[f].kind][b]; ++j)
              columns.emplace_back(first[f][b] + j, is_complex);
          }
        }
        if (const auto change = changes.find(row); change != changes.end()) {
          for (const auto& [column, added] : change->second) {
            if (added)
              columns.emplace_back(column, false);
            else
              std::erase_if(columns, [c = column](const auto& p) { return p.first == c; });
          }
        }
        std::sort(columns.begin(), columns.end());
        for (const auto& [column, is_complex] : columns) {
          m.columns.push_back(column);
          m.values.push_back(pair_value(row, column, is_complex));
        }
        m.row_offsets.push_back(Offset(m.columns.size()));
      }
    }
  }
  return m;
}

}  // namespace

BlockTable antenna_table(bool printed) {
  BlockTable t{{8091, 40129, 98297},
               {{{218722, 681548, 1391158}, {681548, 1973198, 3895180}, {1391158, 3895180, 7569914}}}};
  if (!printed) {
    for (auto& row : t.nnz) {
      for (Offset& count : row) count /= 2;
    }
  } else {
    // A symmetric pattern with a full diagonal has n + 2 k entries; the printed doubles of two blocks do not.
    for (int a = 0; a < 3; ++a) t.nnz[a][a] += (t.nnz[a][a] - t.rows[a]) % 2;
  }
  return t;
}

BlockMatrix antenna_matrix(bool printed, double complex_share) {
  const EntityMesh mesh = antenna_mesh();
  CouplePattern pattern(mesh);
  pattern.fit(antenna_table(printed), printed ? 534 : 267);
  BlockMatrix out;
  out.a = matrix_of(pattern, out.offsets, complex_share);
  return out;
}

}  // namespace curlew::bench
