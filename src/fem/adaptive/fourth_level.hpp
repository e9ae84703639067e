// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Functions that order 4 adds to the Nedelec basis of orders 1 to 3 (nedelec.hpp), for testing residuals
// only: no system is solved at order 4.
//
// An edge has one more function, a face six, the first two of them gradients, a cell nine, the first one a
// gradient. They follow the functions of order 3 as the other levels do: 6 edges, 4 faces, cell. On the
// regular tetrahedron each is orthogonal to all functions that may be added to it without changing continuity
// between neighbours: to those of lower levels on its edge or face and, of both levels, on the adjacent faces
// and cell. Gradients are orthogonal in L2, the others in curl and, to gradients, in L2. The symmetry of the
// regular tetrahedron makes the parts the same on both sides of a face. The remaining coupling is weak in
// cells that are not too flat, so that the diagonal approximates the form.
//
// Source of spaces and of their parts by edges, faces and cells: Nedelec (1980), Numer. Math. 35; Webb
// (1999), IEEE Trans. Antennas Propag. 47(8).

#include "fem/nedelec.hpp"

namespace curlew::fem {

inline constexpr int fourth_cell_dim = 84;  ///< of all functions of order 4
inline constexpr int fourth_face_functions = 6, fourth_cell_functions = 9;

/// All functions of order 4 on the unit tetrahedron. @param[out] w [fourth_cell_dim], those of order 3 first
void fourth_basis(Vec3<double> xi, BasisValue<double>* w);

/// True if function a of the fourth_cell_dim is a gradient.
constexpr bool is_gradient_of_fourth(int a) {
  const int added = a - nedelec_dim(3), in_face = added - 6, in_cell = in_face - 4 * fourth_face_functions;
  if (added < 0) return is_gradient(a);
  return in_face < 0 || in_cell == 0 || (in_cell < 0 && in_face % fourth_face_functions < 2);
}

}  // namespace curlew::fem
