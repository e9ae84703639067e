// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/lagrange_grid.hpp"

#include <algorithm>
#include <cmath>

#include "fem/geometry.hpp"
#include "fem/output/cell_subdivision.hpp"
#include "fem/output/lagrange_cells.hpp"

namespace curlew::fem {
namespace {

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
  return std::clamp(int(std::ceil(pieces)), least, LagrangeGrid::highest_order);
}

}  // namespace

LagrangeGrid::LagrangeGrid(const mesh::Mesh& mesh, int order) : kinds_(std::size_t(highest_order) + 1) {
  for (Index c = 0; c < mesh.num_cells(); ++c) add_cell(mesh, c, order);
}

const LagrangeGrid::Kind& LagrangeGrid::kind(int order) {
  Kind& kind = kinds_[std::size_t(order)];
  if (kind.positions.empty()) {
    const CellSubdivision lattice(order);
    kind = {lattice.positions(), {lagrange_nodes(lattice, false), lagrange_nodes(lattice, true)}};
  }
  return kind;
}

void LagrangeGrid::add_cell(const mesh::Mesh& mesh, Index cell, int least_order) {
  const CellGeometry geometry = cell_geometry(mesh, cell);
  const int order = order_for(geometry, least_order);
  const Kind& own = kind(order);
  order_.push_back((signed char)(order));
  first_point_.push_back(Offset(grid_.points.size()));
  for (const auto& xi : own.positions) grid_.points.push_back(map_point(geometry, xi));
  // VTK wants right-handed cells; our vertices are sorted by number.
  const bool is_left = determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0;
  std::vector<std::int64_t> nodes;
  for (const int node : own.nodes[is_left ? 1 : 0]) nodes.push_back(first_point_.back() + node);
  grid_.add_cell(order > 1 ? io::VtkCell::lagrange_tetrahedron : io::VtkCell::tetrahedron, nodes.data(),
                 int(nodes.size()));
}

}  // namespace curlew::fem
