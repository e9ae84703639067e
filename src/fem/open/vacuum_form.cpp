// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/vacuum_form.hpp"

#include "fem/assembly.hpp"

namespace curlew::fem {

namespace {

std::optional<ReferenceTable> table_for(const NedelecSpace& space) {
  if (space.mesh->geometry_order != 2) return std::nullopt;
  return reference_table(space.order, curved_degree(space.order));
}

}  // namespace

VacuumForm::VacuumForm(const NedelecSpace& space)
    : space_(space),
      tensors_(reference_tensors(space.order)),
      table_(table_for(space)),
      elements_(tensors_, table_ ? &*table_ : nullptr) {
  for (int i = 0; i < nedelec_dim(space.order); ++i) row_[tensors_.function[std::size_t(i)]] = i;
}

void VacuumForm::compute(Index cell) {
  static const Coefficient one = 1.0;
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  const ElementMatrices::Cell batch{geometry, table_ && !is_straight(geometry), &one, &one};
  elements_.compute(&batch, 1);
}

double VacuumForm::curl_curl(int a, int b) const {
  const int n = num_rotational(space_.order), i = row_[a], j = row_[b];
  if (i >= n || j >= n) return 0;  // gradients
  return elements_.stiffness(0).factor.real() * elements_.stiffness(0).re[i * n + j];
}

double VacuumForm::mass(int a, int b) const {
  return elements_.mass(0).factor.real() *
         elements_.mass(0).re[row_[a] * nedelec_dim(space_.order) + row_[b]];
}

}  // namespace curlew::fem
