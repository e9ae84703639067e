// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/radiation_map.hpp"

#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "truncation/ngim_radiation.hpp"

namespace curlew::truncation {

RadiationMethod choose_radiation(RadiationMethod asked, Offset num_sources, Offset num_observers,
                                 Device device) {
  if (asked != RadiationMethod::automatic) return asked;
  // Where both cost the same, with NGIM's set-up shared by a dozen evaluations (docs/truncation.md).
  const double even = device == Device::cuda ? 2e10 : 4e9;
  const double pairs = double(num_sources) * double(num_observers);
  return pairs > even ? RadiationMethod::ngim : RadiationMethod::direct;
}

RadiationMap make_radiation(RadiationMethod method, const fields::SurfacePoints& sources,
                            std::span<const Vec3<double>> observers, const fields::Exterior& exterior,
                            double tolerance, Device device) {
  const RadiationMethod chosen = choose_radiation(method, sources.size(), Offset(observers.size()), device);
  const auto call = [](auto radiation) {
    return [radiation](const fields::SurfaceCurrents& currents) { return radiation->apply(currents); };
  };
  if (chosen == RadiationMethod::ngim) {
    try {
      return call(std::make_shared<NgimRadiation>(sources, observers, exterior, tolerance, device));
    } catch (const Interrupted&) {
      throw;
    } catch (const Error& e) {  // memory, or an accuracy that it does not reach: all pairs always do
      if (method == RadiationMethod::ngim) throw;
      log::warn("{}; radiation by all pairs", e.what());
    }
  }
  return call(std::make_shared<fields::RadiationOperator>(sources, observers, exterior, device));
}

}  // namespace curlew::truncation
