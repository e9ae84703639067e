// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The grid of fields.vtkhdf and the fields at its points.

#include <memory>
#include <vector>

#include "base/types.hpp"
#include "fem/materials.hpp"
#include "fem/open/known_field.hpp"
#include "fem/output/field_cells.hpp"
#include "fem/space.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::fem {

struct PointFields {
  std::vector<Complex> e;  ///< [points, 3] [V/m]
  std::vector<Complex> h;  ///< [points, 3] [A/m]
};

class FieldGrid {
 public:
  virtual ~FieldGrid() = default;

  virtual const io::VtkGrid& grid() const = 0;
  /// @param x unknowns [num_dofs]; omega [rad/s], complex for a decaying mode
  /// @param known is added to the field outside of PML
  virtual PointFields evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                               const IncidentField& known = nullptr) const = 0;
  /// Real parts of ε_r (largest diagonal entry for tensors) by cell of the grid.
  std::vector<double> cell_permittivity(const CellMaterials& materials) const;

  /// Indices of the volume regions by cell of the grid.
  std::vector<double> cell_regions() const;

 protected:
  explicit FieldGrid(const NedelecSpace& space) : space_(space) {}
  /// Number of cells of the grid in a cell of the mesh; they are contiguous.
  virtual int num_pieces(Index cell) const = 0;

  const NedelecSpace& space_;
};

/// @param space outlives the grid
std::unique_ptr<FieldGrid> make_field_grid(const NedelecSpace& space, const CellMaterials& materials,
                                           const FieldCells& cells);

}  // namespace curlew::fem
