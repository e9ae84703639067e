// SPDX-License-Identifier: BSD-3-Clause
#include "fem/point_location.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fem/geometry.hpp"

namespace curlew::fem {
namespace {

/// The reference point of x; straight cells need one step.
Vec3<double> reference_point(const CellGeometry& geometry, Vec3<double> x) {
  Vec3<double> xi{0.25, 0.25, 0.25};
  for (int step = 0; step < (geometry.num_nodes == 4 ? 1 : 20); ++step) {
    const auto J = jacobian(geometry, xi);
    const Vec3<double> change = (1 / determinant(J)) * (adjugate(J) * (x - map_point(geometry, xi)));
    xi += change;
    if (norm(change) < 1e-14 || norm(xi) > 1e3) break;
  }
  return xi;
}

/// The nodes' box, enlarged by its size for cells that bulge.
struct Bounds {
  Vec3<double> low, high;
};
Bounds bounds_of(const CellGeometry& geometry) {
  Bounds b{geometry.nodes[0], geometry.nodes[0]};
  for (int i = 0; i < 3; ++i) {
    for (int n = 1; n < geometry.num_nodes; ++n) {
      b.low[i] = std::min(b.low[i], geometry.nodes[n][i]);
      b.high[i] = std::max(b.high[i], geometry.nodes[n][i]);
    }
  }
  // A cell that lies in a coordinate plane's slice is thin: the margin is of the whole box.
  const double margin = (geometry.num_nodes == 4 ? 1e-8 : 0.25) * norm(b.high - b.low);
  for (int i = 0; i < 3; ++i) b.low[i] -= margin, b.high[i] += margin;
  return b;
}

bool is_within(const Bounds& b, Vec3<double> x) {
  for (int i = 0; i < 3; ++i)
    if (x[i] < b.low[i] || x[i] > b.high[i]) return false;
  return true;
}

void add_if_inside(const mesh::Mesh& mesh, Index cell, Vec3<double> point, std::vector<PointPlace>& places) {
  constexpr double tolerance = 1e-9;
  const CellGeometry geometry = cell_geometry(mesh, cell);
  if (!is_within(bounds_of(geometry), point)) return;
  const Vec3<double> xi = reference_point(geometry, point);
  const double least = std::min({xi.x, xi.y, xi.z, 1 - xi.x - xi.y - xi.z});
  if (least >= -tolerance) places.push_back({cell, xi});
}

}  // namespace

std::vector<PointPlace> locate_point(const mesh::Mesh& mesh, Vec3<double> point) {
  std::vector<PointPlace> places;
  for (Index c = 0; c < mesh.num_cells(); ++c) add_if_inside(mesh, c, point, places);
  return places;
}

PointLocator::PointLocator(const mesh::Mesh& mesh) : mesh_(mesh) {
  constexpr double far = std::numeric_limits<double>::max();
  low_ = {far, far, far}, high_ = {-far, -far, -far};
  std::vector<Bounds> bounds;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    bounds.push_back(bounds_of(cell_geometry(mesh, c)));
    for (int i = 0; i < 3; ++i) {
      low_[i] = std::min(low_[i], bounds.back().low[i]);
      high_[i] = std::max(high_[i], bounds.back().high[i]);
    }
  }
  const Vec3<double> size = high_ - low_;
  const double edge = std::cbrt(size.x * size.y * size.z / std::max<Index>(1, mesh.num_cells()));
  for (int i = 0; i < 3; ++i) n_[std::size_t(i)] = int(std::clamp(size[i] / edge, 1.0, 1024.0));
  cells_.resize(number(0, 0, n_[2]));
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const auto& b = bounds[std::size_t(c)];
    for (int k = box(2, b.low.z); k <= box(2, b.high.z); ++k)
      for (int j = box(1, b.low.y); j <= box(1, b.high.y); ++j)
        for (int i = box(0, b.low.x); i <= box(0, b.high.x); ++i) cells_[number(i, j, k)].push_back(c);
  }
}

int PointLocator::box(int axis, double x) const {
  const int n = n_[std::size_t(axis)];
  return int(std::clamp((x - low_[axis]) / (high_[axis] - low_[axis]) * n, 0.0, n - 1.0));
}

std::vector<PointPlace> PointLocator::locate(Vec3<double> point) const {
  std::vector<PointPlace> places;
  for (const Index c : cells_[number(box(0, point.x), box(1, point.y), box(2, point.z))])
    add_if_inside(mesh_, c, point, places);
  return places;
}

}  // namespace curlew::fem
