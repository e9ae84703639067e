// SPDX-License-Identifier: BSD-3-Clause
#include "fields/far_power.hpp"

#include <algorithm>
#include <cmath>

#include "fields/far_field.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fields {

namespace {

/// Degree of the spherical harmonics in the far field of currents within a sphere of radius r about the
/// origin. Source: Chew et al. (2001), Fast and Efficient Algorithms in Computational Electromagnetics,
/// equation 3.33, with four digits.
int degree(double kr) {
  return int(std::ceil(kr + 1.8 * std::pow(4.0, 2.0 / 3) * std::cbrt(kr))) + 2;
}

Vec3<double> middle(const SurfacePoints& points) {
  Vec3<double> lo = points.position.front(), hi = lo;
  for (const auto& x : points.position)
    for (int i = 0; i < 3; ++i) lo[i] = std::min(lo[i], x[i]), hi[i] = std::max(hi[i], x[i]);
  return 0.5 * (lo + hi);
}

}  // namespace

std::optional<std::vector<double>> far_power(const SurfacePoints& points, const SurfaceCurrents& currents,
                                             const Exterior& exterior, double most_pairs) {
  if (points.position.empty()) return std::vector<double>(std::size_t(currents.count), 0.0);
  SurfacePoints centred = points;  // the phase of the origin does not matter to the power
  const Vec3<double> origin = middle(points);
  double radius = 0;
  for (auto& x : centred.position) x = x - origin, radius = std::max(radius, norm(x));
  const int n = degree(exterior.k * radius) + 1, around = 2 * n;
  if (double(n) * around * double(points.size()) > most_pairs) return std::nullopt;
  const auto rule = quadrature::gauss_legendre(n);
  std::vector<Direction> directions;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < around; ++j)
      directions.push_back({std::acos(2 * rule.points[std::size_t(i)] - 1), 2 * pi * j / around});
  const FarField far = far_field(centred, currents, directions, exterior);
  std::vector<double> power(std::size_t(currents.count));
  for (std::size_t c = 0; c < power.size(); ++c)
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const std::size_t at = c * directions.size() + d;
      power[c] += radiation_intensity(far.e_theta[at], far.e_phi[at], exterior.impedance) * 2 *
                  rule.weights[d / std::size_t(around)] * 2 * pi / around;
    }
  return power;
}

}  // namespace curlew::fields
