// SPDX-License-Identifier: BSD-3-Clause
#include "ie/surface/choose_accuracy.hpp"

#include "ie/surface/surface_equation.hpp"

namespace curlew::ie {

Accuracy choose_accuracy(const System& system, const SolveOptions& options, std::size_t free_bytes) {
  const Accuracy given = system.integrals(0).accuracy();
  if (!options.uses_device() || options.acceleration_tolerance < 1e-3) return given;
  const bool fits = estimate_device_bytes(SurfaceEquation(system), options) <= free_bytes;
  return fits ? given : accuracy_for_sums;
}

}  // namespace curlew::ie
