// SPDX-License-Identifier: BSD-3-Clause
#include "fem/geometry.hpp"

#include <algorithm>

namespace curlew::fem {
namespace {

// Quadratic Lagrange functions in barycentric coordinates: l (2 l - 1) at vertices, 4 l_i l_j at midpoints.

/// Sum of nodes times shape functions, for a simplex with n vertices. @param l barycentric coordinates [n]
template <std::size_t NumEdges>
Vec3<double> interpolate_nodes(const Vec3<double>* nodes, bool quadratic, const double* l, int n,
                               const std::array<std::array<int, 2>, NumEdges>& edges) {
  Vec3<double> x;
  for (int a = 0; a < n; ++a) x += (quadratic ? l[a] * (2 * l[a] - 1) : l[a]) * nodes[a];
  if (quadratic)
    for (std::size_t e = 0; e < NumEdges; ++e) x += (4 * l[edges[e][0]] * l[edges[e][1]]) * nodes[n + int(e)];
  return x;
}

/// d x / d l_a for each a, [n]; derivatives along reference coordinate a are slope[a] - slope[0].
template <std::size_t NumEdges>
void slopes(const Vec3<double>* nodes, bool quadratic, const double* l, int n,
            const std::array<std::array<int, 2>, NumEdges>& edges, Vec3<double>* slope) {
  for (int a = 0; a < n; ++a) slope[a] = (quadratic ? 4 * l[a] - 1 : 1.0) * nodes[a];
  if (!quadratic) return;
  for (std::size_t e = 0; e < NumEdges; ++e) {
    const auto [i, j] = edges[e];
    slope[i] += (4 * l[j]) * nodes[n + int(e)];
    slope[j] += (4 * l[i]) * nodes[n + int(e)];
  }
}

}  // namespace

CellGeometry cell_geometry(const mesh::Mesh& mesh, Index cell) {
  CellGeometry geometry;
  geometry.num_nodes = mesh.nodes_per_cell();
  const Index* node = mesh.cell(cell);
  for (int i = 0; i < geometry.num_nodes; ++i) geometry.nodes[i] = mesh.nodes[std::size_t(node[i])];
  return geometry;
}

Vec3<double> map_point(const CellGeometry& geometry, Vec3<double> xi) {
  const double l[4] = {1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
  return interpolate_nodes(geometry.nodes, geometry.num_nodes == 10, l, 4, mesh::cell_edge_vertices);
}

Mat3<double> jacobian(const CellGeometry& geometry, Vec3<double> xi) {
  const double l[4] = {1 - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
  Vec3<double> slope[4];
  slopes(geometry.nodes, geometry.num_nodes == 10, l, 4, mesh::cell_edge_vertices, slope);
  Mat3<double> J;
  for (int j = 0; j < 3; ++j)
    for (int i = 0; i < 3; ++i) J(i, j) = slope[j + 1][i] - slope[0][i];
  return J;
}

bool is_straight(const CellGeometry& geometry) {
  if (geometry.num_nodes == 4) return true;
  const Vec3<double>* x = geometry.nodes;
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [i, j] = mesh::cell_edge_vertices[e];
    const Vec3<double> bulge = x[4 + e] - 0.5 * (x[i] + x[j]);
    if (norm(bulge) > 1e-10 * norm(x[j] - x[i])) return false;
  }
  return true;
}

TriangleGeometry triangle_geometry(const mesh::Mesh& mesh, Index triangle) {
  TriangleGeometry geometry;
  geometry.num_nodes = mesh.nodes_per_triangle();
  const Index* node = mesh.triangle(triangle);
  for (int i = 0; i < geometry.num_nodes; ++i) geometry.nodes[i] = mesh.nodes[std::size_t(node[i])];
  return geometry;
}

Vec3<double> map_point(const TriangleGeometry& geometry, double u, double v) {
  const double l[3] = {1 - u - v, u, v};
  return interpolate_nodes(geometry.nodes, geometry.num_nodes == 6, l, 3, mesh::triangle_edge_vertices);
}

void tangents(const TriangleGeometry& geometry, double u, double v, Vec3<double>& du, Vec3<double>& dv) {
  const double l[3] = {1 - u - v, u, v};
  Vec3<double> slope[3];
  slopes(geometry.nodes, geometry.num_nodes == 6, l, 3, mesh::triangle_edge_vertices, slope);
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
