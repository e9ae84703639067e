// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Currents of solutions as moments at points, for sums of far fields and powers.

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// Sources in vacuum: points, and currents times area or volume.
struct RadiatingPoints {
  using Matrix = Eigen::MatrixXcd;
  double k;            ///< [1/m]
  Index num_unknowns;  ///< of a solution
  std::vector<Vec3<double>> points;
  bool has_magnetic = false;
  /// J [A m], and M/eta0 if there are magnetic currents, of solutions [count, unknowns]: [points, columns()
  /// count].
  std::function<Matrix(const Complex* x, Index count)> moments;
  /// div J [A] in the same order, [points, count]; empty if not needed.
  std::function<Matrix(const Complex* x, Index count)> charges;

  Index columns() const { return has_magnetic ? 6 : 3; }
};
/// The middles of edges, a rule of degree 2 whose points neighbours share: at ten edges per wavelength it is
/// accurate to 1e-4. @param system stored by reference
RadiatingPoints radiating_points(const System& system);
/// @param degree of the rule on every element @param system stored by reference
RadiatingPoints radiating_points(const MixedPotentialSystem& system, int degree);

}  // namespace curlew::ie
