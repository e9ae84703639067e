// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which cells contain a point.

#include <array>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

struct PointPlace {
  Index cell;
  Vec3<double> xi;  ///< in the unit tetrahedron
};

/// All cells that contain the point, faces, edges and vertices included, to 1e-9 of the cell, in ascending
/// order; none if it is outside of the mesh. Curved cells use Newton's method. It tests every cell, so use it
/// for a few points.
std::vector<PointPlace> locate_point(const mesh::Mesh& mesh, Vec3<double> point);

/// The same for many points: cells are sorted into the boxes of a regular grid, about one a cell, once.
class PointLocator {
 public:
  /// @param mesh outlives this object
  explicit PointLocator(const mesh::Mesh& mesh);
  std::vector<PointPlace> locate(Vec3<double> point) const;

 private:
  /// Index of the box along an axis that contains a coordinate, clamped to the grid.
  int box(int axis, double x) const;
  std::size_t number(int i, int j, int k) const {
    return (std::size_t(k) * std::size_t(n_[1]) + std::size_t(j)) * std::size_t(n_[0]) + std::size_t(i);
  }

  const mesh::Mesh& mesh_;
  Vec3<double> low_, high_;
  std::array<int, 3> n_{1, 1, 1};
  std::vector<std::vector<Index>> cells_;  // of each box, ascending
};

}  // namespace curlew::fem
