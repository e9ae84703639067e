// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/levels.hpp"

#include <algorithm>
#include <cmath>

#include "linalg/sparse/row_groups.hpp"

namespace curlew::linalg {
namespace {

// Sweeps diverge where coordinates are stretched into the complex plane (perfectly matched layers). Rows go
// to the coarse level if an entry has an imaginary part above `turned` of their diagonal, or turns from the
// diagonal by more than `turned_aside` of it: where a layer begins its entries are nearly real, but point in
// different directions of the complex plane, and 60 iterations in place of 20 are the cost of leaving those
// rows to the sweeps. Losses turn a row as a whole. Measured: docs/measured/solvers.md.
constexpr double turned = 0.03, turned_aside = 0.001;

}  // namespace

int coarse_orders(const IterativeOptions& o, const std::vector<Index>& offsets) {
  const int orders = int(offsets.size()) - 1;
  return std::clamp(o.coarse_order == 0 ? orders - 1 : o.coarse_order, 1, orders);
}

void leave_out_empty_orders(std::vector<Index>& offsets) {
  while (offsets.size() > 2 && offsets.back() == offsets[offsets.size() - 2]) offsets.pop_back();
}

std::vector<int> levels_of(const Csr<Complex>& a, const LowRank& term, const std::vector<Index>& offsets,
                           int coarse) {
  std::vector<int> level(std::size_t(a.num_rows));
  for (int o = 0; o + 1 < int(offsets.size()); ++o)
    std::fill(level.begin() + offsets[std::size_t(o)], level.begin() + offsets[std::size_t(o) + 1],
              std::max(0, o + 1 - coarse));
  const auto is_turned = [&](Index i) {
    const Offset begin = a.row_offsets[std::size_t(i)], end = a.row_offsets[std::size_t(i) + 1];
    Complex diagonal = 0;
    for (Offset k = begin; k < end; ++k)
      if (a.columns[std::size_t(k)] == i) diagonal = a.values[std::size_t(k)];
    double imaginary = 0, aside = 0;
    for (Offset k = begin; k < end; ++k) {
      const Complex value = a.values[std::size_t(k)];
      imaginary = std::max(imaginary, std::abs(value.imag()));
      aside = std::max(aside, std::abs((value * std::conj(diagonal)).imag()));
    }
    return imaginary > turned * std::abs(diagonal) || aside > turned_aside * std::norm(diagonal);
  };
  // The term lies on the coarse level as a whole, which takes it into account exactly.
  const auto has_term = [&](Index i) {
    const auto& rows = term.left.row_offsets;
    return !term.is_empty() && rows[std::size_t(i) + 1] > rows[std::size_t(i)];
  };
  const RowGroups groups = group_rows(a, 6, false);
#pragma omp parallel for schedule(static)
  for (const RowGroup& g : groups.groups) {
    const Index* rows = &groups.rows[std::size_t(g.first)];
    if (std::any_of(rows, rows + g.size, [&](Index i) { return has_term(i) || is_turned(i); }))
      for (int i = 0; i < g.size; ++i) level[std::size_t(rows[i])] = 0;
  }
  return level;
}

}  // namespace curlew::linalg
