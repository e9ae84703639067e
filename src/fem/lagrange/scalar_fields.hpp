// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A function of a Lagrange space and its gradient at points.

#include <optional>
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

 private:
  const LagrangeSpace& space_;
  ScalarTable table_;
};

/// A point of the mesh as a cell and a point of the unit tetrahedron.
struct CellPosition {
  Index cell;
  Vec3<double> xi;
};
/// The cell that holds a point [m], the one of lowest number where several touch; nothing outside the mesh.
/// Points up to 1e-9 of a cell's size outside count as inside. Looks at all cells: for a few points.
std::optional<CellPosition> locate(const mesh::Mesh& mesh, Vec3<double> point);

}  // namespace curlew::fem
