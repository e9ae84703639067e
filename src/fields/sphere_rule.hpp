// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Directions and solid angles that integrate |E|^2 of the far field of sources within a sphere.

#include <vector>

#include "base/vec3.hpp"

namespace curlew::fields {

struct SphereRule {
  std::vector<Vec3<double>> unit;
  std::vector<double> weight;  ///< their sum is 4 pi
};

/// Directions of the rule: about 2 (kr)^2 for bodies of radius r.
std::size_t sphere_rule_size(double kr);
/// Gauss in cos theta, trapezia in phi. Waves of higher order than kr + 3 (kr)^(1/3) + 6 carry less than 1e-5
/// of the power, and |E|^2 has twice the order. Source: Chew et al. (2001), Fast and Efficient Algorithms in
/// Computational Electromagnetics, equation 3.33.
SphereRule sphere_rule(double kr);

}  // namespace curlew::fields
