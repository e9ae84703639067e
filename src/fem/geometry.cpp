// SPDX-License-Identifier: BSD-3-Clause
#include "fem/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "mesh/jacobian.hpp"

namespace curlew::fem {
CellGeometry cell_geometry(const mesh::Mesh& mesh, Index cell) {
  CellGeometry geometry;
  geometry.num_nodes = mesh.nodes_per_cell();
  const Index* node = mesh.cell(cell);
  for (int i = 0; i < geometry.num_nodes; ++i) geometry.nodes[i] = mesh.nodes[std::size_t(node[i])];
  return geometry;
}

Vec3<double> map_point(const CellGeometry& geometry, Vec3<double> xi) {
  const mesh::Barycentric l{1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
  return mesh::simplex_point(l, geometry.num_nodes == 10, mesh::cell_edge_vertices,
                             [&](int i) { return geometry.nodes[i]; });
}

Mat3<double> jacobian(const CellGeometry& geometry, Vec3<double> xi) {
  const mesh::Barycentric l{1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
  const auto slope = mesh::simplex_slopes(l, geometry.num_nodes == 10, mesh::cell_edge_vertices,
                                          [&](int i) { return geometry.nodes[i]; });
  Mat3<double> J;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) J(i, j) = slope[std::size_t(j) + 1][i] - slope[0][i];
  return J;
}

std::vector<double> edge_bulges(const CellGeometry& geometry) {
  std::vector<double> bulges;
  const Vec3<double>* x = geometry.nodes;
  for (std::size_t e = 0; geometry.num_nodes > 4 && e < 6; ++e) {
    const auto [i, j] = mesh::cell_edge_vertices[e];
    bulges.push_back(norm(x[4 + e] - 0.5 * (x[i] + x[j])));
  }
  return bulges;
}

bool is_straight(const CellGeometry& geometry) {
  const auto bulges = edge_bulges(geometry);
  for (std::size_t e = 0; e < bulges.size(); ++e) {
    const auto [i, j] = mesh::cell_edge_vertices[e];
    if (bulges[e] > 1e-10 * norm(geometry.nodes[j] - geometry.nodes[i])) return false;
  }
  return true;
}

void check_cell(const mesh::Mesh& mesh, Index cell, const CellGeometry& geometry,
                std::span<const Vec3<double>> points) {
  double longest = 0;
  for (const auto [i, j] : mesh::cell_edge_vertices)
    longest = std::max(longest, norm(geometry.nodes[j] - geometry.nodes[i]));
  const double det = determinant(jacobian(geometry, {0.25, 0.25, 0.25}));
  if (std::abs(det) <= 1e-13 * longest * longest * longest)
    throw InputError(fmt::format("{}: cell {} has no volume", mesh.name, cell));
  for (const auto& point : points)
    if (determinant(jacobian(geometry, point)) * det <= 0)
      throw InputError(
          fmt::format("{}: curved cell {} is folded: use smaller cells, or mesh.order = 1", mesh.name, cell));
}

TriangleGeometry triangle_geometry(const mesh::Mesh& mesh, Index triangle) {
  TriangleGeometry geometry;
  geometry.num_nodes = mesh.nodes_per_triangle();
  const Index* node = mesh.triangle(triangle);
  for (int i = 0; i < geometry.num_nodes; ++i) geometry.nodes[i] = mesh.nodes[std::size_t(node[i])];
  return geometry;
}

Vec3<double> map_point(const TriangleGeometry& geometry, double u, double v) {
  return mesh::simplex_point(std::array{1 - u - v, u, v}, geometry.num_nodes == 6,
                             mesh::triangle_edge_vertices, [&](int i) { return geometry.nodes[i]; });
}

void tangents(const TriangleGeometry& geometry, double u, double v, Vec3<double>& du, Vec3<double>& dv) {
  const auto slope =
      mesh::simplex_slopes(std::array{1 - u - v, u, v}, geometry.num_nodes == 6, mesh::triangle_edge_vertices,
                           [&](int i) { return geometry.nodes[i]; });
  du = slope[1] - slope[0];
  dv = slope[2] - slope[0];
}

Vec3<double> face_point_in_cell(int local_face, double u, double v) {
  const double on_face[3] = {1 - u - v, u, v};
  double l[4] = {0, 0, 0, 0};
  for (int a = 0; a < 3; ++a)
    l[mesh::cell_face_vertices[std::size_t(local_face)][std::size_t(a)]] = on_face[a];
  return {l[1], l[2], l[3]};
}

}  // namespace curlew::fem
