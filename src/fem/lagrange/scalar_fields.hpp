// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A function of a Lagrange space and its gradient at points.

#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_elements.hpp"

namespace curlew::fem {

/// Evaluates at the same reference points of every cell.
class ScalarEvaluator {
 public:
  /// @param points in the unit tetrahedron; 1 - x - y - z, x, y, z belong to the cell's sorted vertices
  ScalarEvaluator(const LagrangeSpace& space, const std::vector<Vec3<double>>& points);
  int num_points() const { return int(table_.points.size()); }
  const std::vector<Vec3<double>>& points() const { return table_.points; }
  /// @param x nodal values [num_nodes] @param[out] value, gradient [num_points]; either may be null
  void evaluate(Index cell, const Complex* x, Complex* value, Vec3<Complex>* gradient) const;
  /// The same at one of the points. @param point 0 to num_points() - 1
  void evaluate_at(Index cell, int point, const Complex* x, Complex* value, Vec3<Complex>* gradient) const;

 private:
  void evaluate(Index cell, std::size_t from, std::size_t to, const Complex* x, Complex* value,
                Vec3<Complex>* gradient) const;

  const LagrangeSpace& space_;
  ScalarTable table_;
};

}  // namespace curlew::fem
