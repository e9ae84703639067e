// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/gram.hpp"

namespace curlew::ie {

double gram(const SurfaceMesh& mesh, Index t, int a, int b) {
  const Vec3<double> c = mesh.centroid(t);
  const double twice_area = norm(mesh.area_vector(t));
  double second = 0;  // int |r - c|^2 over the area
  for (int i = 0; i < 3; ++i) second += dot(mesh.corner(t, i) - c, mesh.corner(t, i) - c) / 12;
  return 0.5 * (second + dot(mesh.corner(t, a) - c, mesh.corner(t, b) - c)) / twice_area;
}

}  // namespace curlew::ie
