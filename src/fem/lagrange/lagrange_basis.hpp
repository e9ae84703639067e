// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrange basis of order 1, 2, 3 on the tetrahedron and the triangle, on host and device, in barycentric
// coordinates: a function is 1 at its own node and 0 at all others. Nodes are equally spaced. Vertices of a
// cell are sorted by global number, so the nodes of an edge, counted from its first vertex, are the same for
// all cells around it. Source: Zienkiewicz, Taylor, Zhu (2013), The Finite Element Method, ch. 6.

#include "base/macros.hpp"

namespace curlew::fem {

inline constexpr int max_lagrange_order = 3;
inline constexpr int max_lagrange_dim = 20;
inline constexpr int max_lagrange_face_dim = 10;

/// Functions of a cell, 4, 10, 20, and of a face, 3, 6, 10.
CURLEW_HD constexpr int lagrange_dim(int order) {
  return (order + 1) * (order + 2) * (order + 3) / 6;
}
CURLEW_HD constexpr int lagrange_face_dim(int order) {
  return (order + 1) * (order + 2) / 2;
}
/// Nodes inside an edge, 0, 1, 2, and inside a face, 0, 0, 1.
CURLEW_HD constexpr int lagrange_edge_nodes(int order) {
  return order - 1;
}
CURLEW_HD constexpr int lagrange_face_nodes(int order) {
  return order == 3 ? 1 : 0;
}

/// The function of a vertex with barycentric coordinate l, and its derivative by l.
template <class T>
CURLEW_HD T vertex_function(int order, T l, T& slope) {
  if (order == 1) return slope = 1, l;
  if (order == 2) return slope = 4 * l - 1, l * (2 * l - 1);
  slope = (27 * l * l - 18 * l + 2) / 2;
  return l * (3 * l - 1) * (3 * l - 2) / 2;
}

/// The function of a node on the edge from vertex i to vertex j: the middle at order 2; at order 3 the node
/// nearer to i (the one nearer to j has both exchanged). Derivatives by l_i and l_j.
template <class T>
CURLEW_HD T edge_node_function(int order, T li, T lj, T& slope_i, T& slope_j) {
  if (order == 2) return slope_i = 4 * lj, slope_j = 4 * li, 4 * li * lj;
  slope_i = T(4.5) * lj * (6 * li - 1);
  slope_j = T(4.5) * li * (3 * li - 1);
  return slope_j * lj;
}

/// All functions of a cell: vertices; edges (mesh::cell_edge_vertices) one after another; faces.
/// @param l barycentric coordinates [4]
/// @param[out] value [lagrange_dim(order)]
/// @param[out] slope [lagrange_dim(order)][4] derivatives by l_a, the four taken as independent; may be null
template <class T>
CURLEW_HD void lagrange_cell_basis(int order, const T* l, T* value, T (*slope)[4]) {
  constexpr int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  int n = 0;
  T unused[4];
  const auto next_slope = [&]() -> T* {
    T* s = slope != nullptr ? slope[n] : unused;
    s[0] = s[1] = s[2] = s[3] = 0;
    return s;
  };
  for (int a = 0; a < 4; ++a) {
    T* s = next_slope();
    value[n++] = vertex_function(order, l[a], s[a]);
  }
  for (int e = 0; order >= 2 && e < 6; ++e)
    for (int node = 0; node < lagrange_edge_nodes(order); ++node) {
      const int i = edges[e][node], j = edges[e][1 - node];  // near vertex, far vertex
      T* s = next_slope();
      value[n++] = edge_node_function(order, l[i], l[j], s[i], s[j]);
    }
  for (int f = 0; order == 3 && f < 4; ++f) {
    const int i = faces[f][0], j = faces[f][1], k = faces[f][2];
    T* s = next_slope();
    s[i] = 27 * l[j] * l[k], s[j] = 27 * l[i] * l[k], s[k] = 27 * l[i] * l[j];
    value[n++] = 27 * l[i] * l[j] * l[k];
  }
}

/// All functions with a trace on a face: vertices; edges (mesh::triangle_edge_vertices); the face.
/// @param l barycentric coordinates on the face [3] @param[out] value [lagrange_face_dim(order)]
template <class T>
CURLEW_HD void lagrange_face_basis(int order, const T* l, T* value) {
  constexpr int edges[3][2] = {{0, 1}, {0, 2}, {1, 2}};
  T unused_i, unused_j;
  for (int a = 0; a < 3; ++a) *value++ = vertex_function(order, l[a], unused_i);
  for (int e = 0; order >= 2 && e < 3; ++e)
    for (int node = 0; node < lagrange_edge_nodes(order); ++node)
      *value++ = edge_node_function(order, l[edges[e][node]], l[edges[e][1 - node]], unused_i, unused_j);
  if (order == 3) *value = 27 * l[0] * l[1] * l[2];
}

}  // namespace curlew::fem
