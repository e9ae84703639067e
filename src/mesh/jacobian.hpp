// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Position and Jacobian of a straight or second-order curved cell at a point of the reference tetrahedron.
// Shape functions of the 10-node tetrahedron: λ_a (2 λ_a - 1) at vertices, 4 λ_a λ_b at the middle of edges.

#include <array>

#include "mesh/mesh.hpp"

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
  const Index* n = mesh.cell(c);
  const bool curved = mesh.geometry_order == 2;
  CellPoint result{};
  // N and dN/dλ_a with the four λ taken as independent; the chain rule with λ_0 comes at the end.
  std::array<Vec3<double>, 4> d{};
  for (int a = 0; a < 4; ++a) {
    const Vec3<double>& x = mesh.nodes[n[a]];
    result.position += (curved ? l[a] * (2 * l[a] - 1) : l[a]) * x;
    d[a] += (curved ? 4 * l[a] - 1 : 1.0) * x;
  }
  for (int e = 0; curved && e < 6; ++e) {
    const auto [a, b] = cell_edge_vertices[e];
    const Vec3<double>& x = mesh.nodes[n[4 + e]];
    result.position += (4 * l[a] * l[b]) * x;
    d[a] += (4 * l[b]) * x;
    d[b] += (4 * l[a]) * x;
  }
  for (int i = 0; i < 3; ++i) result.columns[i] = d[i + 1] - d[0];
  return result;
}

}  // namespace curlew::mesh
