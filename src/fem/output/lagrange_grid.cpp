// SPDX-License-Identifier: BSD-3-Clause
#include "fem/output/lagrange_grid.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

LagrangeGrid::LagrangeGrid(const mesh::Mesh& mesh, int order) {
  set_orders(mesh, order);
  set_cells(mesh);
}

LagrangeGrid::LagrangeGrid(const mesh::Mesh& mesh, const mesh::Topology& topology, int order,
                           std::vector<int> groups) {
  slots_.group = std::move(groups);
  set_orders(mesh, order);
  shared_ = share_points(mesh, topology, slots_);
  set_cells(mesh);
}

void LagrangeGrid::set_orders(const mesh::Mesh& mesh, int order) {
  slots_.order.resize(std::size_t(mesh.num_cells()));
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < mesh.num_cells(); ++c)
    slots_.order[std::size_t(c)] = order_for(cell_geometry(mesh, c), order);
  slots_.count();
  kinds_.resize(std::size_t(highest_order) + 1);
  for (const int of : slots_.order) {
    Kind& kind = kinds_[std::size_t(of)];
    if (!kind.positions.empty()) continue;
    const CellSubdivision lattice(of);
    kind = {lattice.positions(), {lagrange_nodes(lattice, false), lagrange_nodes(lattice, true)}};
  }
}

void LagrangeGrid::set_cells(const mesh::Mesh& mesh) {
  grid_.types.resize(slots_.order.size());
  grid_.offsets = slots_.first;
  const auto slots = std::size_t(slots_.first.back());
  resize_huge(grid_.points, shared_.size() > 0 ? shared_.size() : slots);
  resize_huge(grid_.connectivity, slots);
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < mesh.num_cells(); ++c) set_cell(mesh, c);
}

void LagrangeGrid::set_cell(const mesh::Mesh& mesh, Index cell) {
  const CellGeometry geometry = cell_geometry(mesh, cell);
  const Offset first = first_slot(cell);
  const Kind& own = kinds_[std::size_t(order(cell))];
  // VTK needs right-handed cells; our vertices are sorted by number.
  const auto& nodes = own.nodes[determinant(jacobian(geometry, {0.25, 0.25, 0.25})) < 0 ? 1 : 0];
  const auto point = [&](Offset slot) {
    return shared_.size() > 0 ? shared_.point[std::size_t(slot)] : slot;
  };
  const auto sets = [&](Offset slot, std::size_t node) {  // the first of the cells around a point
    return shared_.size() == 0 ||
           shared_.nodes_of(std::size_t(point(slot))).front() == CellNode{cell, int(node)};
  };
  for (std::size_t i = 0; i < own.positions.size(); ++i) {
    const Offset slot = first + Offset(i);
    if (sets(slot, i)) grid_.points[std::size_t(point(slot))] = map_point(geometry, own.positions[i]);
    grid_.connectivity[std::size_t(slot)] = point(first + nodes[i]);
  }
  grid_.types[std::size_t(cell)] =
      order(cell) > 1 ? io::VtkCell::lagrange_tetrahedron : io::VtkCell::tetrahedron;
}

}  // namespace curlew::fem
