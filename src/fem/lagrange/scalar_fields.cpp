// SPDX-License-Identifier: BSD-3-Clause
#include "fem/lagrange/scalar_fields.hpp"

#include <algorithm>

#include "fem/geometry.hpp"
#include "fem/mat3.hpp"

namespace curlew::fem {
namespace {

constexpr double slack = 1e-9;

bool near_box(const CellGeometry& g, Vec3<double> point) {
  Vec3<double> lo = g.nodes[0], hi = lo;
  for (int n = 1; n < g.num_nodes; ++n)
    for (int i = 0; i < 3; ++i)
      lo[i] = std::min(lo[i], g.nodes[n][i]), hi[i] = std::max(hi[i], g.nodes[n][i]);
  // A curved face may bulge past the box of its nodes, by less than a quarter of it.
  const double margin = (g.num_nodes == 10 ? 0.25 : slack) * norm(hi - lo);
  for (int i = 0; i < 3; ++i)
    if (point[i] < lo[i] - margin || point[i] > hi[i] + margin) return false;
  return true;
}

/// Newton's iteration; one step is exact for a straight cell.
Vec3<double> invert_map(const CellGeometry& g, Vec3<double> point) {
  Vec3<double> xi{0.25, 0.25, 0.25};
  for (int step = 0; step < 20; ++step) {
    const Mat3<double> J = jacobian(g, xi);
    const Vec3<double> change = (1 / determinant(J)) * (adjugate(J) * (point - map_point(g, xi)));
    xi += change;
    if (norm(change) < 1e-13) break;
  }
  return xi;
}

}  // namespace

ScalarEvaluator::ScalarEvaluator(const LagrangeSpace& space, const std::vector<Vec3<double>>& points)
    : space_(space), table_(scalar_table(space.order, points, std::vector<double>(points.size(), 0.0))) {}

void ScalarEvaluator::evaluate(Index cell, const Complex* x, Complex* value, Vec3<Complex>* gradient) const {
  Index nodes[max_lagrange_dim];
  Complex local[max_lagrange_dim];
  space_.cell_nodes(cell, nodes);
  const int n = table_.dim;
  for (int a = 0; a < n; ++a) local[a] = x[nodes[a]];
  const CellGeometry geometry = cell_geometry(*space_.mesh, cell);
  for (std::size_t q = 0; q < table_.points.size(); ++q) {
    if (value != nullptr) {
      value[q] = 0;
      for (int a = 0; a < n; ++a) value[q] += table_.values[q * std::size_t(n) + std::size_t(a)] * local[a];
    }
    if (gradient == nullptr) continue;
    Vec3<Complex> d{};
    for (int i = 0; i < 3; ++i)
      for (int a = 0; a < n; ++a)
        d[i] += table_.gradients[(3 * q + std::size_t(i)) * std::size_t(n) + std::size_t(a)] * local[a];
    const Mat3<double> J = jacobian(geometry, table_.points[q]);
    gradient[q] = (1 / determinant(J)) * (transpose(adjugate(J)) * d);
  }
}

std::optional<CellPosition> locate(const mesh::Mesh& mesh, Vec3<double> point) {
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    if (!near_box(geometry, point)) continue;
    const Vec3<double> xi = invert_map(geometry, point);
    if (std::min({xi.x, xi.y, xi.z, 1 - xi.x - xi.y - xi.z}) >= -slack) return CellPosition{c, xi};
  }
  return std::nullopt;
}

}  // namespace curlew::fem
