// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Right-hand sides of sources in cells.

#include <functional>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/nedelec.hpp"
#include "fem/space.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {

/// Integrals of W.f + curl W.g over cells by one rule, whose basis is evaluated once.
class CellLoad {
 public:
  struct Sources {
    Vec3<Complex> f, g;
  };
  /// @param degree polynomial degree of the rule on straight cells
  CellLoad(const NedelecSpace& space, int degree);
  /// b_a += int W_a.f + curl W_a.g dV. b [num_dofs] @param sources of a position [m]
  void add(Index cell, const std::function<Sources(Vec3<double>)>& sources, Complex* b) const;

 private:
  const NedelecSpace& space_;
  quadrature::TetrahedronRule rule_;
  int dim_;
  std::vector<BasisValue<double>> basis_;  // [points, dim]
};

}  // namespace curlew::fem
