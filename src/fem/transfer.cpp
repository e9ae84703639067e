// SPDX-License-Identifier: BSD-3-Clause
#include "fem/transfer.hpp"

namespace curlew::fem {

void add_unknowns(const NedelecSpace& from, const std::vector<Complex>& values, const NedelecSpace& to,
                  std::vector<Complex>& x) {
  std::vector<Index> place(std::size_t(from.num_dofs()), -1);
  Index a[max_cell_dim], b[max_cell_dim];
  for (Index cell = 0; cell < from.mesh->num_cells(); ++cell) {
    from.cell_dofs(cell, a), to.cell_dofs(cell, b);
    for (int i = 0; i < nedelec_dim(from.order); ++i)
      if (a[i] >= 0) place[std::size_t(a[i])] = b[i];
  }
  const std::size_t n = place.size(), m = std::size_t(to.num_dofs());
  for (std::size_t k = 0; k < values.size(); ++k)
    if (place[k % n] >= 0) x[k / n * m + std::size_t(place[k % n])] += values[k];
}

}  // namespace curlew::fem
