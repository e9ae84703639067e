// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/lagrange_field_grid.hpp"

#include "fem/output/cell_fields.hpp"

namespace curlew::fem {

LagrangeFieldGrid::LagrangeFieldGrid(const NedelecSpace& space)
    : FieldGrid(space), cells_(*space.mesh, space.order) {
  for (int order = 0; order <= LagrangeGrid::highest_order; ++order) {
    const auto& nodes = cells_.positions(order);
    evaluators_.push_back(nodes.empty() ? nullptr : std::make_unique<FieldEvaluator>(space, nodes));
  }
}

PointFields LagrangeFieldGrid::evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                                        const IncidentField& known) const {
  const CellFields fields(materials, omega, known);
  PointFields result;
  result.e.resize(3 * grid().points.size());
  result.h.resize(3 * grid().points.size());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < space_.mesh->num_cells(); ++c) {
    const FieldEvaluator& evaluator = *evaluators_[std::size_t(cells_.order(c))];
    std::vector<Vec3<Complex>> e(std::size_t(evaluator.num_points())), h(e.size());
    fields.evaluate(evaluator, c, x, e.data(), h.data());
    const std::size_t first = 3 * std::size_t(cells_.first_slot(c));
    for (std::size_t i = 0; i < 3 * e.size(); ++i) {
      result.e[first + i] = e[i / 3][int(i % 3)];
      result.h[first + i] = h[i / 3][int(i % 3)];
    }
  }
  return result;
}

}  // namespace curlew::fem
