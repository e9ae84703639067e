// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_sweep.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace curlew::programs {

void SurfaceSweep::sample() {
  const auto& frequencies = config_.frequencies;
  between_ = std::make_unique<linalg::SampledSolutions>(
      frequencies,
      [&](std::size_t i) {
        check_interrupt();
        auto solved = solve_surface_by_volts(mesh_, config_at_(frequencies[i]), frequencies[i]);
        ports_ = solved.solution.ports;
        return sampled_columns(std::move(solved.solution));
      },
      [&](const Eigen::MatrixXcd& currents) {
        return ports_.empty() ? Eigen::MatrixXcd()
                              : ie::network_of(ports_, currents, config_.reference_impedance).scattering;
      });
  between_->sample(config_.adaptive->tolerance, std::size_t(config_.adaptive->max_solutions));
}

SolvedSurface SurfaceSweep::at(double frequency) {
  const auto place = std::ranges::find(config_.frequencies, frequency);
  if (!config_.adaptive || place == config_.frequencies.end()) return solved_at(frequency);
  if (!between_) sample();
  const auto number = std::size_t(place - config_.frequencies.begin());
  if (!between_->knows(number)) return solved_at(frequency);
  const SurfaceConfig at = config_at_(frequency);
  auto found = begin_surface(mesh_, at, frequency);
  set_ports(at, found.solution);
  found.solution.x = between_->at(number);
  found.solution.count = num_right_hand_sides(at);
  drive_ports(at, found.solution);
  return found;
}

}  // namespace curlew::programs
