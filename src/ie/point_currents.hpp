// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Basis functions as point sources: what turns a matrix-vector product into sums of exp(-jkR)/R over points,
// for fast summation. Any current basis fills it (RWG on triangles, SWG on tetrahedra).

#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ie {

/// A sparse map from unknowns x to weighted currents and charges at quadrature points p,
///   J_p = sum_b current(p, b) x_b, rho_p = sum_b charge(p, b) x_b,
/// with current(p, b) = w_p f_b(r_p) and charge(p, b) = w_p div f_b(r_p), w_p with its measure (areas: m^2,
/// volumes: m^3). Its transpose tests a field. Rows by point: entries [offsets[p], offsets[p + 1]).
struct PointCurrents {
  std::vector<Vec3<double>> points;   ///< [P] [m]
  std::vector<Offset> offsets;        ///< [P + 1]
  std::vector<Index> unknowns;        ///< [entries] b
  std::vector<Vec3<double>> current;  ///< [entries]
  std::vector<double> charge;         ///< [entries]
  Index num_unknowns = 0;

  Offset num_points() const { return Offset(points.size()); }
  /// Jx, Jy, Jz, rho of unknowns x. @param x [num_unknowns] @param out [4, P], overwritten
  void spread(const Complex* x, Complex* out) const;
  /// y_b += sum_p current(p, b) . (A_x, A_y, A_z)_p + charge(p, b) phi_p.
  /// @param fields [4, P] A_x, A_y, A_z, phi @param y [num_unknowns]
  void test(const Complex* fields, Complex* y) const;
};

}  // namespace curlew::ie
