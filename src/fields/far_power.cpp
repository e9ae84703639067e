// SPDX-License-Identifier: BSD-3-Clause
#include "fields/far_power.hpp"

#include <algorithm>
#include <cmath>

#include "fields/far_field.hpp"
#include "fields/plane_wave_sum.hpp"
#include "fields/sphere_rule.hpp"

namespace curlew::fields {

std::optional<std::vector<double>> far_power(const SurfacePoints& points, const SurfaceCurrents& currents,
                                             const Exterior& exterior, double most_pairs, Device device) {
  if (points.position.empty()) return std::vector<double>(std::size_t(currents.count), 0.0);
  const double kr = exterior.k * PlaneWaveSum(points.position, exterior.k).radius();
  if (double(sphere_rule_size(kr)) * double(points.size()) > most_pairs) return std::nullopt;
  const SphereRule rule = sphere_rule(kr);
  std::vector<Direction> directions;
  for (const auto& u : rule.unit)
    directions.push_back({std::acos(std::clamp(u.z, -1.0, 1.0)), std::atan2(u.y, u.x)});
  const FarField far = far_field(points, currents, directions, exterior, device);
  std::vector<double> power(std::size_t(currents.count));
  for (std::size_t c = 0; c < power.size(); ++c)
    for (std::size_t d = 0; d < directions.size(); ++d) {
      const std::size_t at = c * directions.size() + d;
      power[c] += rule.weight[d] * radiation_intensity(far.e_theta[at], far.e_phi[at], exterior.impedance);
    }
  return power;
}

}  // namespace curlew::fields
