// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Stiffness and mass matrix of one cell for coefficients 1:
//   K_ab = int grad phi_a . grad phi_b dV [m],   M_ab = int phi_a phi_b dV [m^3].
// Straight cells exactly: with J the Jacobian and G = |det J| J^-1 J^-T, K_ab = sum_mn G_mn int d_m phi_a d_n
// phi_b over the unit tetrahedron; curved cells by a rule.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/geometry.hpp"
#include "fem/lagrange/lagrange_basis.hpp"

namespace curlew::fem {

/// Integrals over the unit tetrahedron, computed once per order.
struct ScalarTensors {
  /// [6, dim, dim] of d_m phi_a d_n phi_b for mn = 00, 11, 22, then sums for 01 + 10, 02 + 20, 12 + 21
  std::vector<double> stiffness;
  std::vector<double> mass;  ///< [dim, dim]
};
/// @param order 1, 2, 3
const ScalarTensors& scalar_tensors(int order);

/// Values and derivatives of the basis at the points of a rule.
struct ScalarTable {
  int dim = 0;
  std::vector<Vec3<double>> points;
  std::vector<double> weights;
  std::vector<double> values;     ///< [num_points, dim]
  std::vector<double> gradients;  ///< [num_points, 3, dim] along the reference coordinates
};
ScalarTable scalar_table(int order, const std::vector<Vec3<double>>& points,
                         const std::vector<double>& weights);
/// The table for curved cells: a rule exact to degree 2 order + 3, the mass matrix of a second-order cell.
ScalarTable curved_scalar_table(int order);

/// The same in stretched coordinates x~(x): gradients and volume element are those of F J. @param table of a
/// rule
/// @param F dx~/dx at a point [m], symmetric @param[out] stiffness, mass [dim, dim]
void stretched_matrices(const ScalarTable& table, const CellGeometry& geometry,
                        const std::function<Mat3<Complex>(Vec3<double>)>& F, Complex* stiffness,
                        Complex* mass);

/// Work space of one thread.
class ScalarElements {
 public:
  /// @param curved table of the rule for curved cells, outlives this object; null if there are none
  ScalarElements(int order, const ScalarTable* curved);
  void compute(const CellGeometry& geometry, bool is_curved);
  const double* stiffness() const { return stiffness_.data(); }  ///< [dim, dim]
  const double* mass() const { return mass_.data(); }            ///< [dim, dim]

 private:
  void compute_straight(const CellGeometry& geometry);
  void compute_curved(const CellGeometry& geometry);

  int dim_;
  const ScalarTensors& tensors_;
  const ScalarTable* curved_;
  std::vector<double> stiffness_, mass_, product_;
};

}  // namespace curlew::fem
