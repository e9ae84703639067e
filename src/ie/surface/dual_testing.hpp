// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The magnetic field equation of conductors tested with n x g, g the Buffa-Christiansen functions, in place
// of RWG functions f: int n x g . (J/2 - n x K J) = int g . H_inc. RWG functions test the identity poorly: n
// x f is not divergence-conforming, and the currents lose an order. Source: Cools, Andriulli, Olyslager and
// Michielssen (2011), IEEE Antennas Wirel. Propag. Lett. 10, 528; Yan, Jin and Nie (2011), IEEE Trans.
// Antennas Propag. 59(12), 4728.

#include "ie/surface/barycentric.hpp"
#include "ie/surface/system.hpp"
#include "linalg/dense/matrix.hpp"

namespace curlew::ie {

class DualTesting {
 public:
  /// @param problem of closed conductors @param space of its mesh
  DualTesting(const Problem& problem, const RwgSpace& space);

  /// Functions and integrals of the refined mesh.
  const System& refined() const { return refined_; }
  /// The functions of the mesh as sums of those of the refinement.
  const RwgShares& rwg() const { return rwg_; }
  const RwgShares& dual() const { return dual_; }
  /// b_m += (1 - a_m) int g_m . H. @param fine [functions of the refinement] int f . H
  void add_tested(const System& system, const std::vector<Complex>& fine, std::vector<Complex>& b) const;

 private:
  BarycentricMesh mesh_;
  System refined_;
  RwgShares rwg_, dual_;
};

/// A_mn += (1 - a_m) (int n x g_m . f_n / 2 - int g_m . (grad G x f_n)).
/// @param system whose testing is dual @param a [unknowns, unknowns]
void add_dual_tests(const System& system, linalg::DenseMatrix& a);

}  // namespace curlew::ie
