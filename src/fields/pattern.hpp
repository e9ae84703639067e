// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Directions of a pattern, and its greatest amplitude.

#include <cmath>
#include <span>
#include <vector>

#include "base/constants.hpp"
#include "fields/far_field.hpp"

namespace curlew::fields {

/// Those of all angles, phi by phi.
inline std::vector<Direction> directions_at(std::span<const double> theta_deg,
                                            std::span<const double> phi_deg) {
  std::vector<Direction> directions;
  for (const double phi : phi_deg)
    for (const double theta : theta_deg) directions.push_back({theta * pi / 180, phi * pi / 180});
  return directions;
}

/// The greatest amplitude.
struct Peak {
  Direction direction;
  Complex theta, phi;  ///< E r [V]

  double square() const { return std::norm(theta) + std::norm(phi); }
};
/// @param far its first right-hand side [directions]
template <class Far>
Peak peak_of(const std::vector<Direction>& directions, const Far& far) {
  Peak peak{};
  for (std::size_t d = 0; d < directions.size(); ++d)
    if (const Peak at{directions[d], far.e_theta[d], far.e_phi[d]}; d == 0 || at.square() > peak.square())
      peak = at;
  return peak;
}
/// Smallest |E r|² [V²] above rounding errors, for waves of 1 V/m. @param k [1/m]
inline double least_square(double k) {
  return std::pow(1e-12 * 2 * pi / k, 2);
}

}  // namespace curlew::fields
