// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/radiation_map.hpp"

#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "truncation/ngim_radiation.hpp"

namespace curlew::truncation {

double even_pairs(Device device) {
  return device == Device::cuda ? 1e10 : 1e9;
}

RadiationMap make_radiation(RadiationMethod method, const fields::SurfacePoints& sources,
                            std::span<const Vec3<double>> observers, const fields::Exterior& exterior,
                            double tolerance, Device device, double even) {
  const double pairs = double(sources.size()) * double(observers.size());
  const bool by_ngim = method == RadiationMethod::automatic ? pairs > even : method == RadiationMethod::ngim;
  const auto call = [](auto radiation) {
    return [radiation](const fields::SurfaceCurrents& currents) { return radiation->apply(currents); };
  };
  if (by_ngim) {
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
