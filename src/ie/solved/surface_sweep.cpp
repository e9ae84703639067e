// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/surface_sweep.hpp"

#include <algorithm>

namespace curlew::ie {

linalg::SampledColumns SurfaceSweep::columns(const SurfaceSolution& s) {
  ports_ = s.ports;
  return columns_of(s);
}

SurfaceSolution SurfaceSweep::between(double frequency, std::vector<Complex> columns) const {
  auto found = begin_surface(
      config_, frequency, std::make_shared<System>(SurfaceProblems(config_.surfaces, mesh_).at(frequency)));
  take_columns(config_, std::move(columns), found);
  return found;
}

SurfaceSolution SurfaceSweep::at(double frequency) {
  const auto& all = config_.frequencies;
  const auto number = std::size_t(std::ranges::find(all, frequency) - all.begin());
  if (!config_.adaptive || number == all.size()) return solved_at(frequency);
  if (!sampled_) {
    sampled_.emplace(*this, all, [this, &all](std::size_t i) {
      return std::make_shared<SurfaceSolution>(solved_at(all[i]));
    });
    sampled_->between().sample(config_.adaptive->tolerance, std::size_t(config_.adaptive->max_solutions));
  }
  return std::move(*sampled_->at(number));
}

}  // namespace curlew::ie
