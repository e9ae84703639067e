// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/point_location.hpp"

#include <algorithm>

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

/// True if the point is within the nodes' box, enlarged by its size for cells that bulge.
bool is_near(const CellGeometry& geometry, Vec3<double> x) {
  for (int i = 0; i < 3; ++i) {
    double lo = geometry.nodes[0][i], hi = lo;
    for (int n = 1; n < geometry.num_nodes; ++n) {
      lo = std::min(lo, geometry.nodes[n][i]);
      hi = std::max(hi, geometry.nodes[n][i]);
    }
    const double margin = (geometry.num_nodes == 4 ? 1e-6 : 0.5) * (hi - lo);
    if (x[i] < lo - margin || x[i] > hi + margin) return false;
  }
  return true;
}

}  // namespace

std::vector<PointPlace> locate_point(const mesh::Mesh& mesh, Vec3<double> point) {
  constexpr double tolerance = 1e-9;
  std::vector<PointPlace> places;
  for (Index c = 0; c < mesh.num_cells(); ++c) {
    const CellGeometry geometry = cell_geometry(mesh, c);
    if (!is_near(geometry, point)) continue;
    const Vec3<double> xi = reference_point(geometry, point);
    const double least = std::min({xi.x, xi.y, xi.z, 1 - xi.x - xi.y - xi.z});
    if (least >= -tolerance) places.push_back({c, xi});
  }
  return places;
}

}  // namespace curlew::fem
