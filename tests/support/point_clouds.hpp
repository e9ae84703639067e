// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Random sets of points and charges, with a seed, for tests and benchmarks.

#include <cmath>
#include <complex>
#include <random>
#include <string>
#include <vector>

#include "base/types.hpp"
#include "base/vec3.hpp"

namespace curlew::ngim {

using Points = std::vector<Vec3<double>>;

/// n points of extent about 1: cube, sphere, inverse_t, line, clusters, plane, graded (six decades of
/// radius).
inline Points cloud(const std::string& shape, int n, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> u(0, 1);
  std::normal_distribution<double> normal;
  Points points(n);
  for (int i = 0; i < n; ++i) {
    Vec3<double> p{u(random), u(random), u(random)};
    const Vec3<double> direction = normalized(Vec3<double>{normal(random), normal(random), normal(random)});
    if (shape == "sphere") p = 0.5 * direction;
    if (shape == "line") p = {p.x, 0.3, 0.2};
    if (shape == "plane") p.z = 0.25;
    if (shape == "clusters") p = 0.01 * p + (i % 2 ? 0.99 : 0.0) * Vec3<double>{1, 1, 1};
    if (shape == "graded") p = 0.5 * std::pow(10.0, -6 * p.x) * direction;
    if (shape == "inverse_t")
      p = i % 3 == 0 ? Vec3<double>{p.x, 0.3 * p.y, 0}
                     : Vec3<double>{i % 3 == 1 ? 0.5 : 0.55, 0.3 * p.y, p.z};
    points[i] = p;
  }
  return points;
}

inline std::vector<Complex> random_charges(std::size_t n, unsigned seed = 2) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> u(-1, 1);
  std::vector<Complex> charges(n);
  for (Complex& q : charges) q = {u(random), u(random)};
  return charges;
}

}  // namespace curlew::ngim
