// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Maps of vector fields from the unit tetrahedron to a cell with Jacobian J: the covariant one (E) preserves
// circulation along edges, the contravariant one (curl E) flux through faces.

#include "fem/mat3.hpp"

namespace curlew::fem {

/// A Jacobian with its adjugate and determinant.
template <class T>
struct PiolaMap {
  Mat3<T> J;
  Mat3<T> adj;  ///< adjugate(J) = det * inverse(J)
  T det;        ///< of either sign
};

template <class T>
CURLEW_HD PiolaMap<T> piola_map(const Mat3<T>& J) {
  return {J, adjugate(J), determinant(J)};
}

/// W = J^-T w.
template <class T, class S>
CURLEW_HD Vec3<S> covariant(const PiolaMap<T>& map, Vec3<S> w) {
  return (T(1) / map.det) * (transpose(map.adj) * w);
}

/// curl W = J curl w / det J.
template <class T, class S>
CURLEW_HD Vec3<S> contravariant(const PiolaMap<T>& map, Vec3<S> curl) {
  return (T(1) / map.det) * (map.J * curl);
}

}  // namespace curlew::fem
