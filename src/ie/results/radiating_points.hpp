// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Currents of solutions as moments at points: what far fields and powers are sums over.

#include <Eigen/Core>
#include <functional>
#include <vector>

#include "ie/mixed_potential/mixed_potential.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// What radiates in vacuum: points, and currents times their measure there.
struct RadiatingPoints {
  using Matrix = Eigen::MatrixXcd;
  double k;            ///< [1/m]
  Index num_unknowns;  ///< of a solution
  std::vector<Vec3<double>> points;
  bool has_magnetic = false;
  /// J [A m], and M/eta0 where there is any, of solutions [count, unknowns]: [points, columns() count].
  std::function<Matrix(const Complex* x, Index count)> moments;
  /// div J [A] in their order, [points, count]; empty where nothing asks for it.
  std::function<Matrix(const Complex* x, Index count)> charges;

  Index columns() const { return has_magnetic ? 6 : 3; }
};
/// The middles of edges, a rule of degree 2 whose points neighbours share: at ten edges a wavelength it is
/// right to 1e-4. @param system kept by reference
RadiatingPoints radiating_points(const System& system);
/// @param degree of the rule on every element @param system kept by reference
RadiatingPoints radiating_points(const MixedPotentialSystem& system, int degree);

}  // namespace curlew::ie
