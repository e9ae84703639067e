// SPDX-License-Identifier: BSD-3-Clause
#include "fem/cell_load.hpp"

#include "fem/geometry.hpp"
#include "fem/piola.hpp"

namespace curlew::fem {

CellLoad::CellLoad(const NedelecSpace& space, int degree)
    : space_(space), rule_(quadrature::tetrahedron_rule(degree)), dim_(nedelec_dim(space.order)) {
  basis_.resize(std::size_t(rule_.size() * dim_));
  for (int q = 0; q < rule_.size(); ++q)
    reference_basis(space.order, rule_.points[std::size_t(q)], &basis_[std::size_t(q * dim_)]);
}

void CellLoad::add(Index cell, const std::function<Sources(Vec3<double>)>& sources, Complex* b) const {
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  Index dofs[max_cell_dim];
  space_.cell_dofs(cell, dofs);
  for (int q = 0; q < rule_.size(); ++q) {
    const auto point = rule_.points[std::size_t(q)];
    const auto map = piola_map(jacobian(geometry, point));
    const double weight = rule_.weights[std::size_t(q)] * (map.det < 0 ? -1 : 1);
    const auto [f, g] = sources(map_point(geometry, point));
    // W = J^-T w, curl W = J c / det; dV = |det|
    const Vec3<Complex> value = weight * (map.adj * f), curl = weight * (transpose(map.J) * g);
    for (int a = 0; a < dim_; ++a) {
      const auto& w = basis_[std::size_t(q * dim_ + a)];
      if (dofs[a] >= 0) b[dofs[a]] += dot(w.value, value) + dot(w.curl, curl);
    }
  }
}

}  // namespace curlew::fem
