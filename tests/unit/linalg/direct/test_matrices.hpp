// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Matrices of known properties for the tests of this folder.

#include <cmath>
#include <random>

#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Seven-point stencil on n^3 points, `block` unknowns per point that all couple: complex symmetric,
/// indefinite. With block > 1 the pattern is that of a high-order element: groups of identical rows.
inline Csr<Complex> helmholtz_like(Index n, Index block = 1, Complex shift = {3.3, -0.2}) {
  Coo<Complex> coo{n * n * n * block, n * n * n * block, {}, {}, {}};
  const auto couple = [&](Index p, Index q, Complex value) {
    for (Index a = 0; a < block; ++a) {
      for (Index b = 0; b < block; ++b)
        coo.add(p * block + a, q * block + b, value * (a == b ? 1.0 : 0.2 / (1 + a + b)));
    }
  };
  for (Index z = 0; z < n; ++z) {
    for (Index y = 0; y < n; ++y) {
      for (Index x = 0; x < n; ++x) {
        const Index p = (z * n + y) * n + x;
        couple(p, p, 6.0 - shift);
        if (x + 1 < n) couple(p, p + 1, -1), couple(p + 1, p, -1);
        if (y + 1 < n) couple(p, p + n, -1), couple(p + n, p, -1);
        if (z + 1 < n) couple(p, p + n * n, -1), couple(p + n * n, p, -1);
      }
    }
  }
  return to_csr(coo);
}

inline std::vector<Complex> random_vector(std::size_t n, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<Complex> v(n);
  for (Complex& value : v) value = {uniform(random), uniform(random)};
  return v;
}

/// Tridiagonal [-1 2 -1]; eigenvalues 4 sin^2(pi j / (2 n + 2)), j = 1..n.
inline Csr<double> chain(Index n) {
  Coo<double> coo{n, n, {}, {}, {}};
  for (Index i = 0; i < n; ++i) {
    coo.add(i, i, 2);
    if (i + 1 < n) coo.add(i, i + 1, -1), coo.add(i + 1, i, -1);
  }
  return to_csr(coo);
}

inline Csr<Complex> to_complex(const Csr<double>& a) {
  return {a.num_rows, a.num_cols, a.row_offsets, a.columns, {a.values.begin(), a.values.end()}};
}

}  // namespace curlew::linalg
