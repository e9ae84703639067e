// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/field_grid.hpp"

#include <algorithm>

#include "fem/mat3.hpp"
#include "fem/output/lagrange_field_grid.hpp"
#include "fem/output/linear_field_grid.hpp"
#include "mesh/mesh_vtk.hpp"

namespace curlew::fem {

std::vector<double> FieldGrid::cell_permittivity(const CellMaterials& materials) const {
  std::vector<double> values;
  for (Index c = 0; c < space_.mesh->num_cells(); ++c) {
    const Mat3<Complex> eps = materials.of(c).epsilon_r.as_tensor();
    values.insert(values.end(), std::size_t(num_pieces(c)),
                  std::max({eps(0, 0).real(), eps(1, 1).real(), eps(2, 2).real()}));
  }
  return values;
}

std::vector<double> FieldGrid::cell_regions() const {
  const auto numbers = mesh::first_regions(space_.mesh->volumes, std::size_t(space_.mesh->num_cells()));
  std::vector<double> values;
  for (Index c = 0; c < space_.mesh->num_cells(); ++c)
    values.insert(values.end(), std::size_t(num_pieces(c)), numbers[std::size_t(c)]);
  return values;
}

std::unique_ptr<FieldGrid> make_field_grid(const NedelecSpace& space, const CellMaterials& materials,
                                           const FieldCells& cells) {
  if (cells.are_lagrange(space.order)) return std::make_unique<LagrangeFieldGrid>(space);
  return std::make_unique<LinearFieldGrid>(space, materials, cells.subdivision);
}

}  // namespace curlew::fem
