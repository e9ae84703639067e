// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_sweep.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace curlew::programs {

void SurfaceSweep::sample() {
  const auto& frequencies = config_.frequencies;
  const auto take = [&](std::size_t i) {
    check_interrupt();
    const auto s = solved_at(frequencies[i]);
    ports_ = s.ports;
    return columns_of(s);
  };
  between_ = std::make_unique<linalg::SampledSolutions>(frequencies, take,
                                                        scattering_of(ports_, config_.reference_impedance));
  between_->sample(config_.adaptive->tolerance, std::size_t(config_.adaptive->max_solutions));
}

SurfaceSolution SurfaceSweep::at(double frequency) {
  const auto place = std::ranges::find(config_.frequencies, frequency);
  if (!config_.adaptive || place == config_.frequencies.end()) return solved_at(frequency);
  if (!between_) sample();
  const auto number = std::size_t(place - config_.frequencies.begin());
  if (!between_->knows(number)) return solved_at(frequency);
  auto found =
      begin_surface(config_, frequency,
                    std::make_shared<ie::System>(SurfaceProblems(config_.surfaces, mesh_).at(frequency)));
  take_columns(config_, between_->at(number), found);
  return found;
}

}  // namespace curlew::programs
