// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hierarchical Nedelec basis of the first kind on the tetrahedron, orders 1, 2, 3, on host and device.
//
// Everything is written in barycentric coordinates l_a and their gradients g_a, so that the same formulas
// give the basis on the unit tetrahedron, in a physical cell, and (with surface gradients) its tangential
// trace on a face. Vertices are sorted by global number: an edge i < j and a face i < j < k mean the same on
// both sides. With W_ij = l_i g_j - l_j g_i, A = l_i W_jk, B = l_j W_ik, C = l_k W_ij (so that A - B + C =
// 0):
//   level 1: edges  W_ij
//   level 2: edges  grad(l_i l_j)                           faces  3 C, sqrt(3) (A + B)
//   level 3: edges  5/2 grad(l_i l_j (l_i - l_j))           faces  5 grad(l_i l_j l_k),
//            2 A (2 l_j + 2 l_k - 3 l_i), 2 B (2 l_i + 2 l_k - 3 l_j), 2 C (2 l_i + 2 l_j - 3 l_k)
//            cells  10 (y_01 + y_23), 10 (y_01 - y_23), 10 (y_02 + y_13) with y_ij = l_k l_l W_ij, {k, l} the
//            rest
// Gradients are explicit, so the curl-curl matrix has exact zeros in their rows. The functions added on an
// edge or face have no moment of lower degree there: an edge function of level l no tangential moment against
// degree < l - 1, the rotational face functions of level 3 a surface curl orthogonal to degree 1. The
// combinations are chosen nearly orthogonal on the regular tetrahedron, which keeps the matrices well scaled.
// Follows the construction of Webb (1999), IEEE Trans. Antennas Propag. 47(8), doi 10.1109/8.791939, and
// Ingelstrom (2006), IEEE Trans. Microw. Theory Tech. 54(1), doi 10.1109/TMTT.2005.860295.

#include "base/macros.hpp"
#include "base/vec3.hpp"

namespace curlew::fem {

inline constexpr int max_order = 3;
inline constexpr int max_cell_dim = 45;
inline constexpr int max_face_dim = 15;

/// Functions in a cell, 6, 20, 45, and with a tangential trace on one face, 3, 8, 15.
CURLEW_HD constexpr int nedelec_dim(int order) {
  return order * (order + 2) * (order + 3) / 2;
}
CURLEW_HD constexpr int nedelec_face_dim(int order) {
  return order * (order + 2);
}
/// Functions that a level adds on a face (0, 2, 4), of which the first `face_gradients_added` are gradients,
/// and in a cell (0, 0, 3); on every edge it adds one.
CURLEW_HD constexpr int face_dofs_added(int level) {
  return 2 * (level - 1);
}
CURLEW_HD constexpr int face_gradients_added(int level) {
  return level == 3 ? 1 : 0;
}
CURLEW_HD constexpr int cell_dofs_added(int level) {
  return level == 3 ? 3 : 0;
}
/// First function of a level: functions of lower order are a prefix. Within a level: 6 edges, 4 faces, cell.
CURLEW_HD constexpr int level_begin(int level) {
  return level == 1 ? 0 : nedelec_dim(level - 1);
}

/// A function's value W and curl.
template <class T>
struct BasisValue {
  Vec3<T> value, curl;
};

/// q (l_i g_j - l_j g_i) for a polynomial q with gradient dq.
template <class T>
CURLEW_HD BasisValue<T> times_whitney(T q, Vec3<T> dq, T li, T lj, Vec3<T> gi, Vec3<T> gj) {
  const Vec3<T> w = li * gj - lj * gi;
  return {q * w, cross(dq, w) + (2 * q) * cross(gi, gj)};
}

template <class T>
CURLEW_HD BasisValue<T> edge_function(int level, T li, T lj, Vec3<T> gi, Vec3<T> gj) {
  if (level == 1) return times_whitney(T(1), Vec3<T>{}, li, lj, gi, gj);
  if (level == 2) return {li * gj + lj * gi, {}};
  const T scale = T(2.5);
  return {(scale * (2 * li - lj) * lj) * gi + (scale * (li - 2 * lj) * li) * gj, {}};
}

/// c l_k (2 l_i + 2 l_j - 3 l_k) W_ij.
template <class T>
CURLEW_HD BasisValue<T> face_rotation(T c, T lk, T li, T lj, Vec3<T> gk, Vec3<T> gi, Vec3<T> gj) {
  const T q = 2 * (li + lj) - 3 * lk;
  const Vec3<T> dq = (c * (q - 3 * lk)) * gk + (2 * c * lk) * (gi + gj);
  return times_whitney(c * lk * q, dq, li, lj, gi, gj);
}

/// The face_dofs_added(level) functions of a face. @param l, g of its three vertices, ascending
template <class T>
CURLEW_HD void face_functions(int level, const T* l, const Vec3<T>* g, BasisValue<T>* w) {
  if (level == 2) {
    const T root3 = T(1.7320508075688772935);
    w[0] = times_whitney(3 * l[2], T(3) * g[2], l[0], l[1], g[0], g[1]);
    const auto a = times_whitney(root3 * l[0], root3 * g[0], l[1], l[2], g[1], g[2]);
    const auto b = times_whitney(root3 * l[1], root3 * g[1], l[0], l[2], g[0], g[2]);
    w[1] = {a.value + b.value, a.curl + b.curl};
    return;
  }
  w[0] = {T(5) * ((l[1] * l[2]) * g[0] + (l[0] * l[2]) * g[1] + (l[0] * l[1]) * g[2]), {}};
  w[1] = face_rotation(T(2), l[0], l[1], l[2], g[0], g[1], g[2]);
  w[2] = face_rotation(T(2), l[1], l[0], l[2], g[1], g[0], g[2]);
  w[3] = face_rotation(T(2), l[2], l[0], l[1], g[2], g[0], g[1]);
}

/// The three functions of level 3 without trace. @param l, g of the cell's four vertices
template <class T>
CURLEW_HD void cell_functions(const T* l, const Vec3<T>* g, BasisValue<T>* w) {
  const auto y = [&](int i, int j, int k, int m) {
    return times_whitney(10 * l[k] * l[m], (10 * l[m]) * g[k] + (10 * l[k]) * g[m], l[i], l[j], g[i], g[j]);
  };
  const auto y01 = y(0, 1, 2, 3), y23 = y(2, 3, 0, 1), y02 = y(0, 2, 1, 3), y13 = y(1, 3, 0, 2);
  w[0] = {y01.value + y23.value, y01.curl + y23.curl};
  w[1] = {y01.value - y23.value, y01.curl - y23.curl};
  w[2] = {y02.value + y13.value, y02.curl + y13.curl};
}

/// All functions of a cell. @param l, g barycentric coordinates and gradients of the four vertices
/// @param[out] w [nedelec_dim(order)]
template <class T>
CURLEW_HD void nedelec_basis(int order, const T* l, const Vec3<T>* g, BasisValue<T>* w) {
  // mesh::cell_edge_vertices and cell_face_vertices; device code cannot take the address of a host table
  constexpr int edges[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  constexpr int faces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
  for (int level = 1; level <= order; ++level) {
    for (const auto& e : edges) *w++ = edge_function(level, l[e[0]], l[e[1]], g[e[0]], g[e[1]]);
    if (level == 1) continue;
    for (const auto& f : faces) {
      const T lf[3] = {l[f[0]], l[f[1]], l[f[2]]};
      const Vec3<T> gf[3] = {g[f[0]], g[f[1]], g[f[2]]};
      face_functions(level, lf, gf, w);
      w += face_dofs_added(level);
    }
    if (level == 3) cell_functions(l, g, w), w += 3;
  }
}

/// All functions with a trace on a face: for each level those of its 3 edges, then its own. With surface
/// gradients g the values are tangential traces and the curls the normal parts of curl W, times the normal.
/// @param l, g of the face's three vertices @param[out] w [nedelec_face_dim(order)]
template <class T>
CURLEW_HD void nedelec_face_basis(int order, const T* l, const Vec3<T>* g, BasisValue<T>* w) {
  constexpr int edges[3][2] = {{0, 1}, {0, 2}, {1, 2}};  // mesh::triangle_edge_vertices
  for (int level = 1; level <= order; ++level) {
    for (const auto& e : edges) *w++ = edge_function(level, l[e[0]], l[e[1]], g[e[0]], g[e[1]]);
    if (level > 1) face_functions(level, l, g, w), w += face_dofs_added(level);
  }
}

/// The basis on the unit tetrahedron (vertices 0, e_x, e_y, e_z) at a point.
template <class T>
CURLEW_HD void reference_basis(int order, Vec3<T> xi, BasisValue<T>* w) {
  const T l[4] = {T(1) - xi.x - xi.y - xi.z, xi.x, xi.y, xi.z};
  const Vec3<T> g[4] = {{-1, -1, -1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  nedelec_basis(order, l, g, w);
}

/// True if local function a of a cell is a gradient by construction: its curl is zero.
constexpr bool is_gradient(int a) {
  const int level = a < 6 ? 1 : (a < 20 ? 2 : 3);
  const int in_level = a - level_begin(level);
  if (level == 1) return false;
  if (in_level < 6) return true;
  const int in_face = in_level - 6;
  return level == 3 && in_face < 16 && in_face % 4 == 0;
}

}  // namespace curlew::fem
