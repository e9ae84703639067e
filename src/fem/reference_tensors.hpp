// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Integrals of products of basis functions over the unit tetrahedron, from which element matrices of straight
// cells follow exactly: with G = adj(J) eps adj(J)^T / |det J| and H = J^T mu^-1 J / |det J|,
//   M_ab = sum_mn G_mn int w_am w_bn,   K_ab = sum_mn H_mn int c_am c_bn   (w, c: value and curl of a
//   function).
// The symmetric and the antisymmetric part of G go to separate terms: reciprocal media need only the first
// six.

#include <array>
#include <vector>

#include "base/vec3.hpp"
#include "fem/nedelec.hpp"

namespace curlew::fem {

inline constexpr int num_symmetric_terms = 6;  ///< 00, 11, 22, then 01, 02, 12 of the symmetric part
inline constexpr int num_terms = 9;            ///< then 01, 02, 12 of the antisymmetric part

/// Rounds up to a multiple of eight doubles (a SIMD register), so that inner loops have no remainder.
constexpr int padded(int n) {
  return (n + 7) / 8 * 8;
}

/// In element matrices the rotational functions come first and the gradients last: the curl-curl matrix is
/// then the leading block of num_rotational rows and columns. Places of level l, entity, for order p:
///   0: edges of level 1;  6: 2 per face of level 2;  14: 3 per face of level 3;  26: cell of level 3;
///   num_rotational: edges of level 2;  35: edges of level 3;  41: one gradient per face of level 3.
constexpr int num_rotational(int order) {
  return order == 1 ? 6 : (order == 2 ? 14 : 29);
}

struct ReferenceTensors {
  int order = 1;
  std::array<int, max_cell_dim> function{};  ///< basis function (nedelec.hpp) at each place
  std::vector<double> mass;                  ///< [num_terms, padded(dim * dim)]
  std::vector<double> stiffness;             ///< [num_terms, padded(num_rotational^2)]
};
/// Computed on first use and kept.
const ReferenceTensors& reference_tensors(int order);

/// Basis at the points of a rule, for curved cells.
struct ReferenceTable {
  int order = 1;
  std::vector<Vec3<double>> points;
  std::vector<double> weights;
  std::vector<double> values;  ///< [num_points, 3, padded(dim)]
  std::vector<double> curls;   ///< [num_points, 3, padded(num_rotational)]
};
/// @param degree of the rule
ReferenceTable reference_table(int order, int degree);

}  // namespace curlew::fem
