// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Terms on named triangles for a Lagrange space, straight or curved. Coefficients are given per triangle, as
// the medium behind a surface may change along it. Vectors and matrices run over all nodes, free and fixed.

#include <functional>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
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

/// Density of a load at a point [m] with the unit normal there.
using SurfaceDensity = std::function<Complex(Vec3<double> x, Vec3<double> normal)>;
/// b_a += int density phi_a dS over the triangles, by a rule that is accurate for waves on cells of a quarter
/// wavelength. @param sides [triangles] +-1: orientation relative to the normal given by the order of a
/// triangle's vertices
void add_boundary_load(const LagrangeSpace& space, std::span<const Index> triangles,
                       std::span<const int> sides, const SurfaceDensity& density, Complex* b);

/// int phi_a phi_b dS of each triangle. @return [triangles, n, n], n = lagrange_face_dim(order)
std::vector<double> face_masses(const LagrangeSpace& space, std::span<const Index> triangles);

/// Values of a function at the points of triangle_rule(degree) on each triangle. @param x [num_nodes]
std::vector<Complex> values_on(const LagrangeSpace& space, std::span<const Index> triangles, int degree,
                               const Complex* x);

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
