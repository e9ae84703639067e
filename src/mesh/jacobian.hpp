// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Position and derivatives of a straight or second-order curved cell or triangle at a point of it.

#include <array>

#include "mesh/mesh.hpp"
#include "mesh/simplex_map.hpp"

namespace curlew::mesh {

/// Barycentric coordinates of a point of a cell; their sum is 1.
using Barycentric = std::array<double, 4>;

struct CellPoint {
  Vec3<double> position;                ///< [m]
  std::array<Vec3<double>, 3> columns;  ///< derivative by λ_1, λ_2, λ_3 with λ_0 = 1 - λ_1 - λ_2 - λ_3 [m]

  /// Six times the volume of a straight cell; negative for half of all cells, as vertices are sorted by
  /// number.
  double determinant() const { return dot(columns[0], cross(columns[1], columns[2])); }
};

inline CellPoint evaluate_cell(const Mesh& mesh, Index c, const Barycentric& l) {
  const auto node = [&, n = mesh.cell(c)](int i) { return mesh.nodes[std::size_t(n[i])]; };
  const bool curved = mesh.geometry_order == 2;
  const auto slope = simplex_slopes(l, curved, cell_edge_vertices, node);
  return {simplex_point(l, curved, cell_edge_vertices, node),
          {slope[1] - slope[0], slope[2] - slope[0], slope[3] - slope[0]}};
}

struct TrianglePoint {
  Vec3<double> position;    ///< [m]
  Vec3<double> by_u, by_v;  ///< derivatives by u, v of barycentric coordinates 1 - u - v, u, v [m]
};

inline TrianglePoint evaluate_triangle(const Mesh& mesh, Index t, double u, double v) {
  const auto node = [&, n = mesh.triangle(t)](int i) { return mesh.nodes[std::size_t(n[i])]; };
  const bool curved = mesh.geometry_order == 2;
  const std::array l{1 - u - v, u, v};
  const auto slope = simplex_slopes(l, curved, triangle_edge_vertices, node);
  return {simplex_point(l, curved, triangle_edge_vertices, node), slope[1] - slope[0], slope[2] - slope[0]};
}

}  // namespace curlew::mesh
