// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A direct sum that shares nothing with the library.

#include <cmath>

#include "point_clouds.hpp"

namespace curlew::ngim {

/// sum exp(-jkR)/R q at p and its gradient, straight from the formula.
struct Field {
  Complex potential = 0, gradient[3] = {0, 0, 0};
};
inline Field reference(const Points& sources, const Complex* charges, Vec3<double> p, Complex k) {
  const Complex j(0, 1);
  Field field;
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const double d[3] = {p.x - sources[s].x, p.y - sources[s].y, p.z - sources[s].z};
    const double r = std::hypot(d[0], d[1], d[2]);
    if (r == 0) continue;
    const Complex g = charges[s] * std::exp(-j * k * r) / r;
    field.potential += g;
    for (int x = 0; x < 3; ++x) field.gradient[x] -= (j * k + 1 / r) * g * d[x] / r;
  }
  return field;
}

}  // namespace curlew::ngim
