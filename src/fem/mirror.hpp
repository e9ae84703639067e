// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Symmetry to the bit: rounding must not tell a_ij from a_ji, so that matrices of symmetric media are stored
// as the symmetric ones that they are.

namespace curlew::fem {

/// The lower triangle of [n, n] from the upper one, times `sign`.
inline void mirror(int n, double* matrix, double sign = 1) {
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < a; ++b) matrix[a * n + b] = sign * matrix[b * n + a];
}

}  // namespace curlew::fem
