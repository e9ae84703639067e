// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/levels.hpp"

#include <algorithm>

#include "linalg/krylov/preconditioner_kinds.hpp"
#include "linalg/krylov/turned_rows.hpp"
#include "linalg/sparse/row_groups.hpp"

namespace curlew::linalg {

int coarse_orders(const IterativeOptions& o, const std::vector<Index>& offsets) {
  const int orders = int(offsets.size()) - 1;
  return std::clamp(o.coarse_order == 0 ? orders - 1 : o.coarse_order, 1, orders);
}

bool may_shorten_factors(const IterativeOptions& o) {
  return o.short_factors && o.krylov.method == KrylovMethod::gmres && o.device == Device::cpu;
}

bool takes_short_factors(const IterativeOptions& o, int levels) {
  return may_shorten_factors(o) && preconditioner_named(o.preconditioner).has_levels &&
         (o.subdomains > 1 || levels > 1);
}

void leave_out_empty_orders(std::vector<Index>& offsets) {
  while (offsets.size() > 2 && offsets.back() == offsets[offsets.size() - 2]) offsets.pop_back();
}

std::vector<int> levels_of(const Csr<Complex>& a, const LowRank& term, const std::vector<Index>& offsets,
                           int coarse, const ProcessGroup* group) {
  std::vector<int> level(std::size_t(a.num_rows));
  for (int o = 0; o + 1 < int(offsets.size()); ++o)
    std::fill(level.begin() + offsets[std::size_t(o)], level.begin() + offsets[std::size_t(o) + 1],
              std::max(0, o + 1 - coarse));
  const std::vector<char> is_turned = turned_rows(a, group);
  // All rows of the term are on the coarse level, which is solved exactly.
  const auto has_term = [&](Index i) {
    const auto& rows = term.left.row_offsets;
    return !term.is_empty() && rows[std::size_t(i) + 1] > rows[std::size_t(i)];
  };
  const RowGroups groups = group_rows(a, 6, false);
#pragma omp parallel for schedule(static)
  for (const RowGroup& g : groups.groups) {
    const Index* rows = &groups.rows[std::size_t(g.first)];
    if (std::any_of(rows, rows + g.size, [&](Index i) { return has_term(i) || is_turned[std::size_t(i)]; }))
      for (int i = 0; i < g.size; ++i) level[std::size_t(rows[i])] = 0;
  }
  return level;
}

}  // namespace curlew::linalg
