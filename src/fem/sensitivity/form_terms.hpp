// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Cell contributions to x_iᵀ A x_j: constants, quadrature rule, products.

#include "base/wavenumber.hpp"
#include "fem/assembly.hpp"
#include "fem/mat3.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {

/// The rule of the assembly.
inline quadrature::TetrahedronRule rule_of(const NedelecSpace& space) {
  return quadrature::tetrahedron_rule(space.mesh->geometry_order == 2 ? curved_degree(space.order)
                                                                      : 2 * space.order);
}

inline Complex squared_wavenumber(Complex frequency) {
  const Complex k = wavenumber(frequency);
  return k * k;
}

template <class T>
Complex contract(const Mat3<Complex>& a, const Mat3<T>& b) {
  Complex sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum += a(i, j) * b(i, j);
  return sum;
}

/// sum += weight a bᵀ.
template <class W>
void add_product(W weight, const Vec3<Complex>& a, const Vec3<Complex>& b, Mat3<Complex>& sum) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) sum(i, j) += weight * a[i] * b[j];
}

}  // namespace curlew::fem
