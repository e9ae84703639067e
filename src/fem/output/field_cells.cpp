// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/field_cells.hpp"

namespace curlew::fem {

FieldCells read_field_cells(const io::Config& config) {
  const io::Config output = config.table("output");
  FieldCells cells;
  if (output.has("field_subdivision")) {
    cells.subdivision = output.integer_in("field_subdivision", 1, 10);
    cells.kind = FieldCells::Kind::linear;
  }
  if (!output.has("field_cells")) return cells;
  cells.kind = output.choice("field_cells", {"lagrange", "linear"}) == "linear" ? FieldCells::Kind::linear
                                                                                : FieldCells::Kind::lagrange;
  if (cells.kind == FieldCells::Kind::lagrange && cells.subdivision > 0)
    output.error("field_subdivision",
                 "subdivides linear cells: leave it out, or set field_cells = \"linear\"");
  return cells;
}

}  // namespace curlew::fem
