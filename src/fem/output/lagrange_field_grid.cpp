// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/lagrange_field_grid.hpp"

#include <algorithm>
#include <cmath>

#include "fem/geometry.hpp"
#include "fem/output/cell_fields.hpp"
#include "fem/output/lagrange_cells.hpp"

namespace curlew::fem {
namespace {

constexpr int highest_order = 10;            // 286 points: edges that bulge by a tenth of their length
constexpr double largest_distance = 0.7e-3;  // of linear pieces from a cell, in lengths of its box' diagonal

/// The order at which a cell's linear pieces are near enough to it. A parabola's n chords are n² times nearer
/// to it than the one; where several edges bulge, what lies between them does by up to half their sum.
int order_for(const CellGeometry& geometry, int least) {
  double largest = 0, sum = 0;
  Vec3<double> low = geometry.nodes[0], high = low;
  for (int n = 1; n < geometry.num_nodes; ++n)
    for (int i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], geometry.nodes[n][i]);
      high[i] = std::max(high[i], geometry.nodes[n][i]);
    }
  for (const double bulge : edge_bulges(geometry)) largest = std::max(largest, bulge), sum += bulge;
  const double pieces = std::sqrt(std::max(largest, sum / 2) / (largest_distance * norm(high - low)));
  return std::clamp(int(std::ceil(pieces)), least, highest_order);
}

}  // namespace

LagrangeFieldGrid::Kind::Kind(const NedelecSpace& space, int order)
    : evaluator(space, CellSubdivision(order).positions()),
      nodes{lagrange_nodes(CellSubdivision(order), false), lagrange_nodes(CellSubdivision(order), true)} {}

LagrangeFieldGrid::LagrangeFieldGrid(const NedelecSpace& space)
    : FieldGrid(space), kinds_(std::size_t(highest_order) + 1) {
  for (Index c = 0; c < space.mesh->num_cells(); ++c) add_cell(c);
}

void LagrangeFieldGrid::add_cell(Index cell) {
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  const int order = order_for(geometry, space_.order);
  auto& kind = kinds_[std::size_t(order)];
  if (!kind) kind = std::make_unique<Kind>(space_, order);
  cell_order_.push_back((signed char)(order));
  first_point_.push_back(Offset(grid_.points.size()));
  for (const auto& xi : kind->evaluator.points()) grid_.points.push_back(map_point(geometry, xi));
  const bool is_left = determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0;
  std::vector<std::int64_t> nodes;
  for (const int node : kind->nodes[is_left ? 1 : 0]) nodes.push_back(first_point_.back() + node);
  grid_.add_cell(order > 1 ? io::VtkCell::lagrange_tetrahedron : io::VtkCell::tetrahedron, nodes.data(),
                 int(nodes.size()));
}

PointFields LagrangeFieldGrid::evaluate(const Complex* x, const CellMaterials& materials, Complex omega,
                                        const IncidentField& known) const {
  const CellFields fields(materials, omega, known);
  PointFields result;
  result.e.resize(3 * grid_.points.size());
  result.h.resize(3 * grid_.points.size());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < space_.mesh->num_cells(); ++c) {
    const FieldEvaluator& evaluator = kind_of(c).evaluator;
    std::vector<Vec3<Complex>> e(std::size_t(evaluator.num_points())), h(e.size());
    fields.evaluate(evaluator, c, x, e.data(), h.data());
    const std::size_t first = 3 * std::size_t(first_point_[std::size_t(c)]);
    for (std::size_t i = 0; i < 3 * e.size(); ++i) {
      result.e[first + i] = e[i / 3][int(i % 3)];
      result.h[first + i] = h[i / 3][int(i % 3)];
    }
  }
  return result;
}

}  // namespace curlew::fem
