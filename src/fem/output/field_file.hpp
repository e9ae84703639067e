// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// fields.vtkhdf of solutions in Nédélec elements: E and H at the points of a FieldGrid, a step per frequency
// or mode.

#include <memory>
#include <string>

#include "base/background.hpp"
#include "fem/model/model.hpp"
#include "fem/output/field_grid.hpp"
#include "io/vtkhdf.hpp"

namespace curlew::fem {

/// Points and cells of order 3 take as long to compress as one solution on a GPU: that is done behind the
/// caller, who waits for it with the first step, where an error such as a full disk appears.
class FieldFile {
 public:
  /// @param space, model outlive the file
  /// @param frequency [Hz] of the permittivity that is written beside the fields
  /// @param surfaces file of the named surfaces, metal and ports
  FieldFile(const NedelecSpace& space, const Model& model, double frequency, const FieldCells& cells,
            const std::string& path, const std::string& surfaces, const io::Provenance& provenance);

  void begin_step(double value) { opened().writer.begin_step(value); }
  /// Arrays E and H of the step. @param x [num_dofs] @param frequency [Hz], complex of a decaying mode
  /// @param suffix of the arrays' names @param adjective "" or "total " @param what ", wave 1", ends the
  /// description @param known is added to the field outside of layers
  void add(const Complex* x, Complex frequency, const std::string& suffix, const std::string& adjective,
           const std::string& what, const IncidentField& known = nullptr);
  void close() { opened().writer.close(); }

 private:
  struct Opened {
    std::unique_ptr<FieldGrid> grid;
    io::VtkHdfWriter writer;
  };
  /// Waits for what is written behind the caller. @throws what it has thrown
  Opened& opened();
  CellMaterials materials(Complex frequency) const { return materials_at(model_, *space_.mesh, frequency); }

  const NedelecSpace& space_;
  const Model& model_;
  std::unique_ptr<Opened> opened_;
  curlew::Background opening_{1};  // ends before what it fills goes
};

}  // namespace curlew::fem
