// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Straight and second-order triangles and tetrahedra from their nodes. Shape functions in barycentric
// coordinates λ: λ_a, or λ_a (2 λ_a - 1) at vertices and 4 λ_a λ_b at the middle of edges.

#include <array>

#include "base/vec3.hpp"

namespace curlew::mesh {

template <std::size_t Edges>
using EdgeVertices = std::array<std::array<int, 2>, Edges>;

/// Position at λ. @param node (i) -> position of a node: vertices, then middles of edges
template <std::size_t Vertices, std::size_t Edges, class Node>
Vec3<double> simplex_point(const std::array<double, Vertices>& l, bool curved,
                           const EdgeVertices<Edges>& edges, const Node& node) {
  Vec3<double> x{};
  for (std::size_t a = 0; a < Vertices; ++a) x += (curved ? l[a] * (2 * l[a] - 1) : l[a]) * node(int(a));
  for (std::size_t e = 0; curved && e < Edges; ++e)
    x += (4 * l[std::size_t(edges[e][0])] * l[std::size_t(edges[e][1])]) * node(int(Vertices + e));
  return x;
}

/// dx/dλ_a with all λ taken as independent: derivatives along λ_a, λ_0 = 1 - Σ λ, are slope[a] - slope[0].
/// Axis by axis, which takes half the time: g++ 12 keeps whole vectors in memory.
template <std::size_t Vertices, std::size_t Edges, class Node>
std::array<Vec3<double>, Vertices> simplex_slopes(const std::array<double, Vertices>& l, bool curved,
                                                  const EdgeVertices<Edges>& edges, const Node& node) {
  std::array<Vec3<double>, Vertices> slope;
  for (int axis = 0; axis < 3; ++axis) {
    double along[Vertices];
    for (std::size_t a = 0; a < Vertices; ++a) along[a] = (curved ? 4 * l[a] - 1 : 1.0) * node(int(a))[axis];
    if (curved)
      for (std::size_t e = 0; e < Edges; ++e) {
        const auto i = std::size_t(edges[e][0]), j = std::size_t(edges[e][1]);
        const double x = node(int(Vertices + e))[axis];
        along[i] += 4 * l[j] * x;
        along[j] += 4 * l[i] * x;
      }
    for (std::size_t a = 0; a < Vertices; ++a) slope[a][axis] = along[a];
  }
  return slope;
}

}  // namespace curlew::mesh
