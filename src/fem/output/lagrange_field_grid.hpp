// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields for ParaView in Lagrange cells of the elements' order, each with points of its own: what the
// elements hold is drawn as it is, jumps between cells included, and VTK finds it exactly between the points.
//
// VTK looks for a point in the linear pieces between a cell's nodes, and vtkProbeFilter refuses a cell that
// then maps the place found further than 1e-3 of the cell's size away from the point. Cells that are curved
// are of a higher order, so that the pieces are as near to them as that.

#include <array>
#include <memory>
#include <vector>

#include "fem/fields.hpp"
#include "fem/output/field_grid.hpp"

namespace curlew::fem {

class LagrangeFieldGrid : public FieldGrid {
 public:
  explicit LagrangeFieldGrid(const NedelecSpace& space);

  PointFields evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                       const IncidentField& known = nullptr) const override;

 protected:
  int num_pieces(Index) const override { return 1; }

 private:
  /// Cells of one order.
  struct Kind {
    Kind(const NedelecSpace& space, int order);
    FieldEvaluator evaluator;               // at the nodes
    std::array<std::vector<int>, 2> nodes;  // in VTK's order, of right-handed and of mirrored cells
  };
  const Kind& kind_of(Index cell) const { return *kinds_[std::size_t(cell_order_[std::size_t(cell)])]; }
  void add_cell(Index cell);

  std::vector<std::unique_ptr<Kind>> kinds_;  // by order; null where no cell has it
  std::vector<signed char> cell_order_;       // [num_cells]
  std::vector<Offset> first_point_;           // [num_cells]
};

}  // namespace curlew::fem
