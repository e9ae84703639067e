// SPDX-License-Identifier: BSD-3-Clause
#include "fields/dual_waves.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/error.hpp"

namespace curlew::fields {
namespace {

bool are_same(const green::ArrivingWave& a, const green::ArrivingWave& b) {
  constexpr double tolerance = 1e-9;  // [rad]
  return std::abs(a.theta - b.theta) < tolerance && std::abs(a.phi - b.phi) < tolerance &&
         std::abs(a.polarization - b.polarization) < tolerance;
}

}  // namespace

DualWaves dual_waves(std::span<const green::ArrivingWave> given,
                     std::span<const std::vector<Direction>> directions, std::size_t most) {
  DualWaves result;
  std::vector<green::ArrivingWave> all(given.begin(), given.end());
  const auto place_of = [&](const green::ArrivingWave& wave) {
    std::size_t i = 0;
    while (i < all.size() && !are_same(all[i], wave)) ++i;
    if (i == all.size()) all.push_back(wave);
    return i;
  };
  for (std::size_t w = 0; w < given.size(); ++w)
    for (const auto& direction : directions[w])
      result.observations.push_back({w,
                                     direction,
                                     {place_of({direction.theta, direction.phi, 0}),
                                      place_of({direction.theta, direction.phi, pi / 2})}});
  if (all.size() > most)
    throw InputError(fmt::format(
        "[[sensitivity]]: derivatives of cross-sections take a solution for each polarisation of each "
        "direction of observation, {} with those of the waves, at most {}: give fewer directions in "
        "output.far_field, or output.monostatic = true",
        all.size(), most));
  result.added.assign(all.begin() + std::ptrdiff_t(given.size()), all.end());
  return result;
}

}  // namespace curlew::fields
