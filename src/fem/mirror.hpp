// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Copies one triangle of a matrix to the other, so that a_ij = a_ji holds exactly: matrices of symmetric
// media are then stored as symmetric ones.

namespace curlew::fem {

/// Sets the lower triangle of [n, n] to `sign` times the upper one.
template <class T>
inline void mirror(int n, T* matrix, double sign = 1) {
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < a; ++b) matrix[a * n + b] = sign * matrix[b * n + a];
}

}  // namespace curlew::fem
