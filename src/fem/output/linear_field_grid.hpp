// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields at points for ParaView: every cell is subdivided into linear ones, at whose nodes the elements are
// evaluated. Values of the cells around a point are averaged. Cells share a point only if a path of faces
// without a change of material and without a metal sheet joins them: jumps of the normal E and of H across a
// sheet stay visible.

#include <vector>

#include "fem/fields.hpp"
#include "fem/output/cell_subdivision.hpp"
#include "fem/output/field_grid.hpp"

namespace curlew::fem {

class LinearFieldGrid : public FieldGrid {
 public:
  /// @param subdivision pieces of every edge of a cell; 0: as many as the order of the elements (and of the
  /// geometry)
  LinearFieldGrid(const NedelecSpace& space, const CellMaterials& materials, int subdivision = 0);

  const io::VtkGrid& grid() const override { return grid_; }
  PointFields evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                       const IncidentField& known = nullptr) const override;

 protected:
  int num_pieces(Index) const override { return cut_.num_cells(); }

 private:
  int slots() const { return evaluator_.num_points(); }
  void join_slots(const CellMaterials& materials);
  void add_cells();

  io::VtkGrid grid_;
  CellSubdivision cut_;
  FieldEvaluator evaluator_;
  std::vector<Index> slot_point_;  ///< [num_cells, slots] point of each local node
  std::vector<double> share_;      ///< [points] 1 / number of cells around
};

}  // namespace curlew::fem
