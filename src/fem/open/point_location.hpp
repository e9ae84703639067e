// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which cells contain a point.

#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"
#include "mesh/mesh.hpp"

namespace curlew::fem {

struct PointPlace {
  Index cell;
  Vec3<double> xi;  ///< in the unit tetrahedron
};

/// All cells that contain the point, faces, edges and vertices included, to 1e-9 of the cell; none if it is
/// outside of the mesh. Curved cells by Newton's method.
std::vector<PointPlace> locate_point(const mesh::Mesh& mesh, Vec3<double> point);

}  // namespace curlew::fem
