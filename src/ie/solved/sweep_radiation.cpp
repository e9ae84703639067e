// SPDX-License-Identifier: BSD-3-Clause
#include "ie/solved/sweep_radiation.hpp"

#include <utility>

#include "base/wavenumber.hpp"
#include "ie/results/far_fields.hpp"

namespace curlew::ie {

void SweepRadiation::take(const std::vector<Complex>& columns) {
  if (num_right_hand_sides(config_) == Index(config_.waves.size())) return;
  const std::scoped_lock lock(mutex_);
  sampled_.insert(sampled_.end(), columns.begin(), columns.end());
}

RadiatedFields SweepRadiation::of(const SurfaceSolution& s, Device device) {
  const std::size_t first = config_.waves.size();
  const Index count = s.count - Index(first);
  if (count == 0) return {};
  const auto& f = config_.frequencies;
  {
    const std::scoped_lock lock(mutex_);
    if (!std::exchange(is_decided_, true) && !sampled_.empty())
      band_ = BandFarFields::of(radiating_points(s.system), wavenumber(f.front()), wavenumber(f.back()),
                                sampled_, config_.pattern(), f.size(), count, device);
    sampled_ = {};
  }
  if (band_)
    if (auto found = band_->at(s.system.scene().regions[0].k.real(), s.of(first), count))
      return std::move(*found);
  const FarFields direct(s.system, device);
  return {direct.pattern(s.of(first), count, config_.pattern()), direct.powers(s.of(first), count)};
}

}  // namespace curlew::ie
