// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields at points for ParaView: the mesh's vertices (and middles of edges above order 1), where values of
// the cells around a point are averaged. Cells share a point only if a path of faces without a change of
// material and without a metal sheet joins them: jumps of the normal E and of H across a sheet stay visible.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/fields.hpp"
#include "fem/materials.hpp"
#include "fem/open/known_field.hpp"
#include "fem/space.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::fem {

struct PointFields {
  std::vector<Complex> e;  ///< [points, 3] [V/m]
  std::vector<Complex> h;  ///< [points, 3] [A/m]
};

class FieldGrid {
 public:
  FieldGrid(const NedelecSpace& space, const CellMaterials& materials);

  const io::VtkGrid& grid() const { return grid_; }
  /// @param x unknowns [num_dofs]; omega [rad/s], complex for a decaying mode
  /// @param known is added to the field outside of layers
  PointFields evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                       const IncidentField& known = nullptr) const;
  /// Real parts of ε_r (largest diagonal entry for tensors) by cell.
  std::vector<double> cell_permittivity(const CellMaterials& materials) const;

 private:
  int slots() const { return evaluator_.num_points(); }
  void join_slots(const CellMaterials& materials);
  void add_cells();

  const NedelecSpace& space_;
  FieldEvaluator evaluator_;
  std::vector<Index> slot_point_;  ///< [num_cells, slots] point of each local node
  std::vector<double> share_;      ///< [points] 1 / number of cells around
  io::VtkGrid grid_;
};

}  // namespace curlew::fem
