// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/radiation_map.hpp"

#include <memory>

#include "base/error.hpp"
#include "base/log.hpp"
#include "truncation/ngim_radiation.hpp"
#include "truncation/shared_radiation.hpp"

namespace curlew::truncation {

namespace {

RadiationTask task_of(const fields::SurfacePoints& sources, std::size_t observers, double k, double tolerance,
                      const RadiationUse& use) {
  double area = 0;
  for (const double w : sources.weight) area += w;
  const double per_wavelength = k / (2 * pi);
  return {double(sources.size()), double(observers), area * per_wavelength * per_wavelength, use.columns,
          use.evaluations,        tolerance};
}

}  // namespace

fields::PairPrecision pair_precision_for(double tolerance) {
  return fields::mixed_pair_error <= 0.05 * tolerance ? fields::PairPrecision::mixed
                                                      : fields::PairPrecision::exact;
}

RadiationMap make_chosen_radiation(const RadiationChoice& choice, const fields::SurfacePoints& sources,
                                   std::span<const Vec3<double>> observers) {
  if (choice.by_ngim)
    return [ngim = std::make_shared<NgimRadiation>(sources, observers, choice.exterior, choice.tolerance,
                                                   choice.device)](const fields::SurfaceCurrents& currents,
                                                                   bool conjugates) {
      return ngim->apply(conjugates ? fields::with_conjugates(currents) : currents);
    };
  return [all = std::make_shared<fields::RadiationOperator>(sources, observers, choice.exterior,
                                                            choice.device, choice.precision)](
             const fields::SurfaceCurrents& currents, bool conjugates) {
    return all->apply(currents, conjugates);
  };
}

RadiationMap make_radiation(RadiationMethod method, const fields::SurfacePoints& sources,
                            std::span<const Vec3<double>> observers, const fields::Exterior& exterior,
                            double tolerance, Device device, const RadiationUse& use,
                            const RadiationCosts& costs, fields::PairPrecision precision,
                            const ProcessGroup* processes) {
  const int sharers = processes_that_radiate(device, processes);
  const std::size_t own = (observers.size() + std::size_t(sharers) - 1) / std::size_t(sharers);
  const RadiationTask task = task_of(sources, own, exterior.k, tolerance, use);
  const double ratio = ngim_seconds(costs, task) / direct_seconds(costs, task);
  const bool by_ngim = method == RadiationMethod::automatic ? ratio < 1 : method == RadiationMethod::ngim;
  if (method == RadiationMethod::automatic)
    log::info(
        "radiation: {}, {} points on S', {} on S: fast sums are expected to take {:.2g} of the time of all "
        "pairs",
        by_ngim ? "fast sums (NGIM)" : "all pairs", sources.size(), observers.size(), ratio);
  const auto make = [&](bool ngim) {
    const RadiationChoice choice{ngim, exterior, tolerance, device, precision};
    return sharers > 1 ? make_shared_radiation(*processes, choice, sources, observers)
                       : make_chosen_radiation(choice, sources, observers);
  };
  if (!by_ngim) return make(false);
  try {
    return make(true);
  } catch (const Interrupted&) {
    throw;
  } catch (const Error& e) {  // too little memory, or an accuracy that only all pairs reach
    if (method == RadiationMethod::ngim) throw;
    log::warn("{}; radiation by all pairs", e.what());
  }
  return make(false);
}

}  // namespace curlew::truncation
