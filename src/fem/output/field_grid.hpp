// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fields at points for ParaView: every cell is cut into linear ones, at whose nodes the elements are
// evaluated. Values of the cells around a point are averaged. Cells share a point only if a path of faces
// without a change of material and without a metal sheet joins them: jumps of the normal E and of H across a
// sheet stay visible.

#include <string>
#include <vector>

#include "base/types.hpp"
#include "fem/fields.hpp"
#include "fem/materials.hpp"
#include "fem/open/known_field.hpp"
#include "fem/output/cell_subdivision.hpp"
#include "fem/space.hpp"
#include "io/config.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::fem {

struct PointFields {
  std::vector<Complex> e;  ///< [points, 3] [V/m]
  std::vector<Complex> h;  ///< [points, 3] [A/m]
};

/// [output] field_subdivision, 1 to 10; 0 without it.
int read_field_subdivision(const io::Config& config);

class FieldGrid {
 public:
  /// @param subdivision pieces of every edge of a cell; 0: as many as the order of the elements (and of the
  ///        geometry), so that no unknown is lost to the eye
  FieldGrid(const NedelecSpace& space, const CellMaterials& materials, int subdivision = 0);

  const io::VtkGrid& grid() const { return grid_; }
  /// @param x unknowns [num_dofs]; omega [rad/s], complex for a decaying mode
  /// @param known is added to the field outside of layers
  PointFields evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                       const IncidentField& known = nullptr) const;
  /// Real parts of ε_r (largest diagonal entry for tensors) by cell of the grid.
  std::vector<double> cell_permittivity(const CellMaterials& materials) const;

 private:
  int slots() const { return evaluator_.num_points(); }
  void join_slots(const CellMaterials& materials);
  void add_cells();

  const NedelecSpace& space_;
  CellSubdivision cut_;
  FieldEvaluator evaluator_;
  std::vector<Index> slot_point_;  ///< [num_cells, slots] point of each local node
  std::vector<double> share_;      ///< [points] 1 / number of cells around
  io::VtkGrid grid_;
};

}  // namespace curlew::fem
