// SPDX-License-Identifier: BSD-3-Clause
#include "fields/radiation_sources.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace curlew::fields {

RadiationSources::RadiationSources(const SurfacePoints& points, const SurfaceCurrents& currents,
                                   double impedance)
    : count_(currents.count), num_blocks_((points.size() + lanes - 1) / lanes) {
  const Offset n = points.size();
  if (Offset(currents.electric.size()) != count_ * n || Offset(currents.magnetic.size()) != count_ * n)
    throw InputError("radiation: currents and surface points do not match");
  // Lanes past the end repeat the last point without current.
  positions_.resize(std::size_t(num_blocks_) * 3 * lanes);
  currents_.assign(std::size_t(num_blocks_ * count_) * values * lanes, 0.0);
  for (Offset i = 0; i < num_blocks_ * lanes; ++i) {
    const Vec3<double> p = points.position[std::size_t(std::min(i, n - 1))];
    for (int x = 0; x < 3; ++x) positions_[std::size_t((i / lanes * 3 + x) * lanes + i % lanes)] = p[x];
  }
  for (Index c = 0; c < count_; ++c) {
    for (Offset i = 0; i < n; ++i) {
      const double weight = points.weight[i] / (4 * pi);
      double* to = &currents_[std::size_t((i / lanes * count_ + c) * values * lanes + i % lanes)];
      for (int x = 0; x < 3; ++x) {
        const Complex u = Complex(0, -impedance * weight) * currents.electric[c * n + i][x];
        const Complex v = weight * currents.magnetic[c * n + i][x];
        to[(2 * x) * lanes] = (u + v).real();
        to[(2 * x + 1) * lanes] = (u + v).imag();
        to[(6 + 2 * x) * lanes] = (u - v).real();
        to[(7 + 2 * x) * lanes] = (u - v).imag();
      }
    }
  }
}

}  // namespace curlew::fields
