// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Test functions of cells from level 2 on, including level 4 (fourth_level.hpp).

#include <Eigen/Core>
#include <vector>

#include "base/vec3.hpp"
#include "fem/fields.hpp"
#include "fem/geometry.hpp"
#include "fem/materials.hpp"
#include "fem/space.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fem {

class TestedFunctions {
 public:
  /// @param space of the solutions @param level up to which functions are tested
  TestedFunctions(const NedelecSpace& space, int level, const CellMaterials& materials, double k0);

  static constexpr int begin() { return level_begin(2); }
  int end() const { return end_; }
  int size() const { return end() - begin(); }

  /// @param[out] diagonal [size] of the form @param[out] residuals [size, columns] without the sources
  void test(Index cell, const Eigen::MatrixXcd& x, Complex* diagonal, Complex* residuals) const;

 private:
  struct Constants {
    Coefficient epsilon, inverse_mu;
  };
  Constants constants(Index cell, const CellGeometry& geometry, Vec3<double> point) const;

  const NedelecSpace& space_;
  int end_;
  const CellMaterials& materials_;
  double k0_squared_;
  quadrature::TetrahedronRule rule_;
  FieldEvaluator fields_;
  std::vector<Coefficient> inverse_mu_;
  std::vector<BasisValue<double>> basis_;  // [points, size] on the unit tetrahedron
};

}  // namespace curlew::fem
