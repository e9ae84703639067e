// SPDX-License-Identifier: BSD-3-Clause
#include "mesh/quality.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/constants.hpp"
#include "mesh/check.hpp"
#include "mesh/jacobian.hpp"

namespace curlew::mesh {
namespace {

/// Keast's rule of degree 3, exact for the cubic determinant of a curved cell; weights for a unit volume.
double cell_volume(const Mesh& mesh, Index c) {
  const auto determinant = [&](const Barycentric& l) { return evaluate_cell(mesh, c, l).determinant(); };
  double sum = -0.8 * determinant({0.25, 0.25, 0.25, 0.25});
  for (int v = 0; v < 4; ++v) {
    Barycentric point{1.0 / 6, 1.0 / 6, 1.0 / 6, 1.0 / 6};
    point[v] = 0.5;
    sum += 0.45 * determinant(point);
  }
  return std::abs(sum) / 6;
}

/// Area by the rule of degree 2 with three points; exact on straight triangles, O(h^4) on curved ones.
double triangle_area(const Mesh& mesh, Index t) {
  const Index* n = mesh.triangle(t);
  const bool curved = mesh.geometry_order == 2;
  double sum = 0;
  for (int p = 0; p < 3; ++p) {
    std::array<double, 3> l{1.0 / 6, 1.0 / 6, 1.0 / 6};
    l[p] = 2.0 / 3;
    std::array<Vec3<double>, 3> d{};
    for (int a = 0; a < 3; ++a) d[a] += (curved ? 4 * l[a] - 1 : 1.0) * mesh.nodes[n[a]];
    for (int e = 0; curved && e < 3; ++e) {
      const auto [a, b] = triangle_edge_vertices[e];
      d[a] += (4 * l[b]) * mesh.nodes[n[3 + e]];
      d[b] += (4 * l[a]) * mesh.nodes[n[3 + e]];
    }
    sum += norm(cross(d[1] - d[0], d[2] - d[0])) / 6;
  }
  return sum;
}

VolumeReport report_volume(const Mesh& mesh, const Region& region) {
  VolumeReport report{.name = region.name, .cells = Index(region.entities.size())};
  report.min_edge = report.min_shape = std::numeric_limits<double>::infinity();
  for (const Index c : region.entities) {
    const Index* n = mesh.cell(c);
    for (const auto& [a, b] : cell_edge_vertices) {
      const double length = norm(mesh.nodes[n[a]] - mesh.nodes[n[b]]);
      report.min_edge = std::min(report.min_edge, length);
      report.max_edge = std::max(report.max_edge, length);
      report.mean_edge += length / 6 / report.cells;
    }
    const double shape = mean_ratio(mesh, c);
    report.min_shape = std::min(report.min_shape, shape);
    report.mean_shape += shape / report.cells;
    report.volume += cell_volume(mesh, c);
    if (mesh.geometry_order == 2) {
      const auto [least, greatest] = jacobian_range(mesh, c);
      report.min_jacobian = std::min(report.min_jacobian, least / greatest);
    }
  }
  return report;
}

}  // namespace

double mean_ratio(const Mesh& mesh, Index cell) {
  const Index* n = mesh.cell(cell);
  double squares = 0;
  for (const auto& [a, b] : cell_edge_vertices) {
    const Vec3<double> edge = mesh.nodes[n[b]] - mesh.nodes[n[a]];
    squares += dot(edge, edge);
  }
  const Vec3<double>& x0 = mesh.nodes[n[0]];
  const double volume =
      std::abs(dot(mesh.nodes[n[1]] - x0, cross(mesh.nodes[n[2]] - x0, mesh.nodes[n[3]] - x0))) / 6;
  return 12 * std::cbrt(9 * volume * volume) / squares;
}

QualityReport report_quality(const Mesh& mesh) {
  QualityReport report;
  for (const Region& region : mesh.volumes) report.volumes.push_back(report_volume(mesh, region));
  for (const Region& region : mesh.surfaces) {
    double area = 0;
    for (const Index t : region.entities) area += triangle_area(mesh, t);
    report.surfaces.push_back({region.name, Index(region.entities.size()), area});
  }
  const double inf = std::numeric_limits<double>::infinity();
  report.lo = {inf, inf, inf};
  report.hi = {-inf, -inf, -inf};
  for (const auto& x : mesh.nodes)
    for (int d = 0; d < 3; ++d) {
      report.lo[d] = std::min(report.lo[d], x[d]);
      report.hi[d] = std::max(report.hi[d], x[d]);
    }
  report.coincident_nodes = count_coincident_nodes(mesh);
  return report;
}

double edge_in_wavelengths(const VolumeReport& region, double frequency, double refractive_index) {
  return region.max_edge * frequency * refractive_index / speed_of_light;
}

}  // namespace curlew::mesh
