// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/lagrange_grid.hpp"

#include <algorithm>
#include <cmath>

#include "base/huge_pages.hpp"
#include "fem/geometry.hpp"
#include "fem/output/cell_subdivision.hpp"
#include "fem/output/lagrange_cells.hpp"

namespace curlew::fem {
namespace {

constexpr double largest_distance = 0.7e-3;  // of linear pieces from a cell, in lengths of its box' diagonal

/// The order at which a cell's linear pieces are close enough to it. n chords of a parabola are n² times
/// closer than one; between several curved edges the distance is up to half their sum.
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
  const auto n = std::size_t(mesh.num_cells());
  order_.resize(n), first_point_.resize(n), grid_.types.resize(n), grid_.offsets.resize(n + 1);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < mesh.num_cells(); ++c)
    order_[std::size_t(c)] = (signed char)(order_for(cell_geometry(mesh, c), order));
  for (std::size_t c = 0; c < n; ++c) {
    first_point_[c] = grid_.offsets[c];
    grid_.offsets[c + 1] = grid_.offsets[c] + std::int64_t(kind(order_[c]).positions.size());
  }
  resize_huge(grid_.points, std::size_t(grid_.offsets[n])),
      resize_huge(grid_.connectivity, grid_.points.size());
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < mesh.num_cells(); ++c) set_cell(mesh, c);
}

const LagrangeGrid::Kind& LagrangeGrid::kind(int order) {
  Kind& kind = kinds_[std::size_t(order)];
  if (kind.positions.empty()) {
    const CellSubdivision lattice(order);
    kind = {lattice.positions(), {lagrange_nodes(lattice, false), lagrange_nodes(lattice, true)}};
  }
  return kind;
}

void LagrangeGrid::set_cell(const mesh::Mesh& mesh, Index cell) {
  const CellGeometry geometry = cell_geometry(mesh, cell);
  const auto c = std::size_t(cell);
  const Kind& own = kinds_[std::size_t(order_[c])];
  // VTK needs right-handed cells; our vertices are sorted by number.
  const bool is_left = determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0;
  for (std::size_t i = 0; i < own.positions.size(); ++i) {
    const auto point = std::size_t(first_point_[c]) + i;
    grid_.points[point] = map_point(geometry, own.positions[i]);
    grid_.connectivity[point] = first_point_[c] + own.nodes[is_left ? 1 : 0][i];
  }
  grid_.types[c] = order_[c] > 1 ? io::VtkCell::lagrange_tetrahedron : io::VtkCell::tetrahedron;
}

}  // namespace curlew::fem
