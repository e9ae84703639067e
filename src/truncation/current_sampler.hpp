// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Equivalent currents on a surface from the unknowns of the finite elements, J = n x H and M = -n x E:
// equation (13) of Badia et al. (2020), IEEE Access 8, doi 10.1109/ACCESS.2020.2993103. Where cells lie on
// both sides, the mean of both is taken: the tangential curl of the elements jumps, its mean converges
// faster.

#include <span>
#include <vector>

#include "fem/materials.hpp"
#include "fem/space.hpp"
#include "fields/surface_currents.hpp"

namespace curlew::truncation {

/// Prepared once for a surface; the values of all basis functions at all points are kept, 96 bytes each.
class CurrentSampler {
 public:
  /// @param triangles, sides of the surface, see mesh::outward_sides
  /// @param degree of the rule on each triangle
  CurrentSampler(const fem::NedelecSpace& space, std::span<const Index> triangles, std::span<const int> sides,
                 int degree);

  const fields::SurfacePoints& points() const { return points_; }
  /// @param x     unknowns [num_dofs, count], column-major
  /// @param omega [rad/s]
  fields::SurfaceCurrents currents(const Complex* x, Index count, const fem::CellMaterials& materials,
                                   double omega) const;

 private:
  /// One cell at one triangle.
  struct Side {
    Index triangle;  ///< place in the list
    Index cell;
    double share;       ///< 1, or 1/2 of two cells
    std::size_t first;  ///< of its values, [points, functions]
  };

  const fem::NedelecSpace& space_;
  int num_points_;  ///< of the rule
  fields::SurfacePoints points_;
  std::vector<Side> sides_;  ///< by triangle, ascending
  std::vector<Vec3<double>> values_, curls_;
};

}  // namespace curlew::truncation
