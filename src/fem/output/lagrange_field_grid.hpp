// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields for ParaView in Lagrange cells of the elements' order, each with separate points: fields of the
// elements are drawn exactly, including jumps between cells, and VTK interpolates them exactly.

#include <memory>
#include <vector>

#include "fem/fields.hpp"
#include "fem/output/field_grid.hpp"
#include "fem/output/lagrange_grid.hpp"

namespace curlew::fem {

class LagrangeFieldGrid : public FieldGrid {
 public:
  explicit LagrangeFieldGrid(const NedelecSpace& space);

  const io::VtkGrid& grid() const override { return cells_.grid(); }
  PointFields evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                       const IncidentField& known = nullptr) const override;

 protected:
  int num_pieces(Index) const override { return 1; }

 private:
  LagrangeGrid cells_;
  std::vector<std::unique_ptr<FieldEvaluator>> evaluators_;  // by order of the cell; null if no cell has it
};

}  // namespace curlew::fem
