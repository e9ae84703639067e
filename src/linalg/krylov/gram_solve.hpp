// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The small least-squares problem of BiCGSTAB(l), on host and device.

#include "linalg/krylov/state.hpp"

namespace curlew::linalg {

/// gamma_1..gamma_l that minimise |r_0 - sum gamma_j r_j|, from the Gram matrix of r_0..r_l: Cholesky of the
/// matrix scaled to a unit diagonal, with pivots kept above rounding errors. Residuals from the first zero
/// one on are left out. Sets omega = gamma_l.
CURLEW_HD void minimise(KrylovState& s, int ell) {
  double scale[max_ell + 1];
  int used = ell;
  for (int j = 1; j <= ell; ++j) {
    const double norm2_j = s.gram[j][j].re;
    if (!is_finite(norm2_j)) s.stop = stop_not_finite;
    s.gamma[j] = Sum();
    scale[j] = norm2_j > 0 ? 1 / ::sqrt(norm2_j) : 0;
    if (!(norm2_j > 0) && used >= j) used = j - 1;
  }
  Sum lower[max_ell + 1][max_ell + 1];
  for (int j = 1; j <= used; ++j) {
    double pivot = 1;
    for (int k = 1; k < j; ++k) {
      Sum sum = s.gram[j][k] * (scale[j] * scale[k]);
      for (int i = 1; i < k; ++i) sum -= lower[j][i] * conj(lower[k][i]);
      lower[j][k] = sum / lower[k][k].re;
      pivot -= norm2(lower[j][k]);
    }
    // Rounding errors of the pivot are smaller than this. The lower limit keeps gamma_l from vanishing, which
    // would be a breakdown; the recurrences hold for any nonzero gamma_l.
    lower[j][j] = Sum(::sqrt(::fmax(pivot, 1e-13)));
  }
  Sum z[max_ell + 1];
  for (int j = 1; j <= used; ++j) {
    Sum sum = s.gram[j][0] * scale[j];
    for (int k = 1; k < j; ++k) sum -= lower[j][k] * z[k];
    z[j] = sum / lower[j][j].re;
  }
  for (int j = used; j >= 1; --j) {
    Sum sum = z[j];
    for (int k = j + 1; k <= used; ++k) sum -= conj(lower[k][j]) * z[k];
    z[j] = sum / lower[j][j].re;
    s.gamma[j] = z[j] * scale[j];
  }
  s.omega = s.gamma[ell];
}

}  // namespace curlew::linalg
