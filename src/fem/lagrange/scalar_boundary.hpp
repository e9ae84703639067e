// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Terms on named triangles for a Lagrange space, straight or curved. Coefficients are given per triangle, as
// the medium behind a surface may change along it. Vectors and matrices run over all nodes, free and fixed.

#include <span>

#include "base/types.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "linalg/csr.hpp"

namespace curlew::fem {

/// a += sum over triangles of c int phi_a phi_b dS. T is double or Complex. @param c [triangles]
template <class T>
void add_boundary_mass(const LagrangeSpace& space, std::span<const Index> triangles, std::span<const T> c,
                       linalg::Csr<T>& a);

/// b_a += sum over triangles of c int phi_a dS. @param c [triangles] @param b [num_nodes]
void add_boundary_load(const LagrangeSpace& space, std::span<const Index> triangles,
                       std::span<const Complex> c, Complex* b);

/// Integrals of a function u with nodal values x [num_nodes].
struct SurfaceIntegrals {
  double area = 0;          ///< [m^2]
  Complex integral;         ///< int u dS
  Complex weighted_square;  ///< sum of c int |u|^2 dS
};
/// @param c [triangles], or empty for 1
SurfaceIntegrals integrate_on_surface(const LagrangeSpace& space, std::span<const Index> triangles,
                                      std::span<const Complex> c, const Complex* x);

}  // namespace curlew::fem
