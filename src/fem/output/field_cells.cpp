// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/field_cells.hpp"

namespace curlew::fem {

FieldCells read_field_cells(const io::Config& config) {
  const io::Config output = config.table("output");
  FieldCells cells;
  if (output.has("field_subdivision")) cells.subdivision = output.integer_in("field_subdivision", 1, 10);
  return cells;
}

}  // namespace curlew::fem
