// SPDX-License-Identifier: BSD-3-Clause
#include "ie/model/waves.hpp"

#include <fmt/format.h>

namespace curlew::ie {

std::string NamedWave::label() const {
  return fmt::format("wave from theta {} phi {}, {}", theta_deg, phi_deg, polarization);
}

std::vector<NamedWave> read_waves(const io::Config& excitation) {
  std::vector<NamedWave> waves;
  for (const auto& w : io::read_plane_waves(excitation))
    waves.push_back(
        {w, {.theta = w.theta_deg * pi / 180, .phi = w.phi_deg * pi / 180, .polarization = w.angle}});
  return waves;
}

}  // namespace curlew::ie
