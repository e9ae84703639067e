// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/field_file.hpp"

#include "base/constants.hpp"

namespace curlew::fem {

FieldFile::FieldFile(const NedelecSpace& space, const Model& model, double frequency, const FieldCells& cells,
                     const std::string& path, const io::Provenance& provenance)
    : space_(space),
      model_(model),
      grid_(make_field_grid(space, materials(frequency), cells)),
      writer_(path, grid_->grid(), provenance, io::VtkNumbers::single_precision) {
  writer_.static_cell_array("epsilon_r", grid_->cell_permittivity(materials(frequency)), 1,
                            {"1", "real part of epsilon_r"});
}

void FieldFile::add(const Complex* x, Complex frequency, const std::string& suffix,
                    const std::string& adjective, const std::string& what, const IncidentField& known) {
  const auto fields = grid_->evaluate(x, materials(frequency), 2 * pi * frequency, known);
  writer_.point_array("E" + suffix, fields.e, 3, {"V/m", adjective + "electric field" + what});
  writer_.point_array("H" + suffix, fields.h, 3, {"A/m", adjective + "magnetic field" + what});
}

}  // namespace curlew::fem
