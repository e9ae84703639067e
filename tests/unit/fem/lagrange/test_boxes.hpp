// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A box that is not aligned with the axes, with node numbers in random order; and polynomials on it.

#include <cmath>
#include <functional>

#include "mesh/box.hpp"
#include "mesh/topology.hpp"

namespace curlew::fem {

using Scalar = std::function<double(Vec3<double>)>;

inline Vec3<double> skew(Vec3<double> p) {
  return {p.x + 0.3 * p.y - 0.2 * p.z + 0.1, 0.9 * p.y + 0.4 * p.z, 0.15 * p.x + 1.1 * p.z};
}
/// The unit box sheared: its volume is the determinant of the shear.
inline constexpr double skewed_volume = 0.9 * 1.1 + 0.15 * (0.3 * 0.4 + 0.2 * 0.9);

inline mesh::Mesh skewed_box(std::array<int, 3> blocks, int geometry_order = 1) {
  mesh::Mesh mesh = mesh::make_box({.blocks = blocks, .geometry_order = geometry_order, .shuffle_seed = 5});
  for (auto& node : mesh.nodes) node = skew(node);
  return mesh;
}

/// Harmonic polynomials of degree 1, 2, 3 (and lower degrees in them), with gradients.
inline double harmonic(int degree, Vec3<double> p) {
  double u = 0.5 + p.x - 2 * p.y + 3 * p.z;
  if (degree >= 2) u += p.x * p.y - 2 * p.y * p.z + p.x * p.x + p.y * p.y - 2 * p.z * p.z;
  if (degree >= 3) u += p.x * p.x * p.x - 3 * p.x * p.y * p.y + 2 * p.x * p.y * p.z;
  return u;
}
inline Vec3<double> harmonic_gradient(int degree, Vec3<double> p) {
  Vec3<double> g{1, -2, 3};
  if (degree >= 2) g += Vec3<double>{p.y + 2 * p.x, p.x - 2 * p.z + 2 * p.y, -2 * p.y - 4 * p.z};
  if (degree >= 3)
    g += Vec3<double>{3 * p.x * p.x - 3 * p.y * p.y + 2 * p.y * p.z, -6 * p.x * p.y + 2 * p.x * p.z,
                      2 * p.x * p.y};
  return g;
}

}  // namespace curlew::fem
