// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/field_file.hpp"

#include "base/constants.hpp"
#include "mesh/mesh_vtk.hpp"

namespace curlew::fem {

FieldFile::FieldFile(const NedelecSpace& space, const Model& model, double frequency, const FieldCells& cells,
                     const std::string& path, const std::string& surfaces, const io::Provenance& provenance)
    : space_(space), model_(model) {
  opening_.add([this, frequency, cells, path, surfaces, provenance] {
    auto grid = make_field_grid(space_, materials(frequency), cells);
    const io::VtkGrid& points = grid->grid();
    opened_.reset(new Opened{std::move(grid), {path, points, provenance, io::VtkNumbers::single_precision}});
    opened_->writer.static_cell_array("epsilon_r", opened_->grid->cell_permittivity(materials(frequency)), 1,
                                      {"1", "real part of epsilon_r"});
    const auto& mesh = *space_.mesh;
    opened_->writer.static_cell_array(
        "volume", opened_->grid->cell_regions(), 1,
        {"1", "number of the volume region: " + mesh::region_names(mesh.volumes)});
    mesh::write_surfaces_vtk(mesh, surfaces, provenance);
  });
}

FieldFile::Opened& FieldFile::opened() {
  opening_.finish();
  return *opened_;
}

void FieldFile::add(const Complex* x, Complex frequency, const std::string& suffix,
                    const std::string& adjective, const std::string& what, const IncidentField& known) {
  auto& [grid, writer] = opened();
  const auto fields = grid->evaluate(x, materials(frequency), 2 * pi * frequency, known);
  writer.point_array("E" + suffix, fields.e, 3, {"V/m", adjective + "electric field" + what});
  writer.point_array("H" + suffix, fields.h, 3, {"A/m", adjective + "magnetic field" + what});
}

}  // namespace curlew::fem
