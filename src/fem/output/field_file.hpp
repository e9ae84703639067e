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

/// Compressing points and cells of order 3 takes as long as one solution on a GPU: it runs in another thread,
/// for which the first step waits; that step then throws errors such as a full disk.
class FieldFile {
 public:
  /// @param space, model outlive the file
  /// @param frequency [Hz] of the permittivity that is written with the fields
  /// @param surfaces file of the named surfaces, metal and ports
  FieldFile(const NedelecSpace& space, const Model& model, double frequency, const FieldCells& cells,
            const std::string& path, const std::string& surfaces, const io::Provenance& provenance);

  void begin_step(double value) { opened().writer.begin_step(value); }
  /// Arrays E and H of the step. @param x [num_dofs] @param frequency [Hz], complex of a decaying mode
  /// @param suffix of the arrays' names @param adjective "" or "total " @param what ", wave 1", ends the
  /// description @param known is added to the field outside of PML
  void add(const Complex* x, Complex frequency, const std::string& suffix, const std::string& adjective,
           const std::string& what, const IncidentField& known = nullptr);
  void close() { opened().writer.close(); }

 private:
  struct Opened {
    std::unique_ptr<FieldGrid> grid;
    io::VtkHdfWriter writer;
  };
  /// Waits for the other thread. @throws its exceptions
  Opened& opened();
  CellMaterials materials(Complex frequency) const { return materials_at(model_, *space_.mesh, frequency); }

  const NedelecSpace& space_;
  const Model& model_;
  std::unique_ptr<Opened> opened_;
  curlew::Background opening_{1};  // must end before the members that it fills
};

}  // namespace curlew::fem
