// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fields.vtkhdf of solutions in Nédélec elements: E and H at the points of a FieldGrid, a step per frequency
// or mode.

#include <memory>
#include <string>

#include "fem/model/model.hpp"
#include "fem/output/field_grid.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::fem {

class FieldFile {
 public:
  /// @param space, model outlive the file
  /// @param frequency [Hz] of the permittivity that is written beside the fields
  FieldFile(const NedelecSpace& space, const Model& model, double frequency, const FieldCells& cells,
            const std::string& path, const io::Provenance& provenance);

  void begin_step(double value) { writer_.begin_step(value); }
  /// Arrays E and H of the step. @param x [num_dofs] @param frequency [Hz], complex of a decaying mode
  /// @param suffix of the arrays' names @param adjective "" or "total " @param what ", wave 1", ends the
  /// description @param known is added to the field outside of layers
  void add(const Complex* x, Complex frequency, const std::string& suffix, const std::string& adjective,
           const std::string& what, const IncidentField& known = nullptr);
  void close() { writer_.close(); }

 private:
  CellMaterials materials(Complex frequency) const { return materials_at(model_, *space_.mesh, frequency); }

  const NedelecSpace& space_;
  const Model& model_;
  std::unique_ptr<FieldGrid> grid_;
  io::VtkHdfWriter writer_;
};

}  // namespace curlew::fem
