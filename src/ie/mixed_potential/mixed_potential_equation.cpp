// SPDX-License-Identifier: BSD-3-Clause
#include "ie/mixed_potential/mixed_potential_equation.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "curlew/build.hpp"
#include "ie/mixed_potential/charge_preconditioner.hpp"
#include "ie/mixed_potential/mixed_potential_fill.hpp"
#ifdef CURLEW_HAVE_CUDA
#include "ie/mixed_potential/device_charge_preconditioner.hpp"
#endif

namespace curlew::ie {

std::unique_ptr<HostFill> MixedPotentialEquation::fill(ngim::Share, Stages& set_up) const {
  return make_mixed_potential_fill(system_, integration_, set_up);
}

std::unique_ptr<DeviceFill> MixedPotentialEquation::device_fill(ngim::Share,
                                                                [[maybe_unused]] Stages& set_up) const {
#ifdef CURLEW_HAVE_CUDA
  return make_device_mixed_potential_fill(system_, integration_, set_up);
#else
  return nullptr;
#endif
}

Preconditioning MixedPotentialEquation::preconditioning(Preconditioner kind,
                                                        [[maybe_unused]] Device device) const {
  Preconditioning p;
  if (kind == Preconditioner::charges) {
    auto matrix = make_charge_matrix(system_);
#ifdef CURLEW_HAVE_CUDA
    if (device == Device::cuda) {
      p.device = std::make_unique<DeviceChargePreconditioner>(matrix);
      return p;
    }
#endif
    p.host = std::make_unique<ChargePreconditioner>(std::move(matrix));
  } else if (kind != Preconditioner::none && kind != Preconditioner::jacobi) {
    throw InputError(fmt::format(
        "preconditioner \"{}\" is for surface equations; films and volumes take \"charges\" or \"jacobi\"",
        name_of(kind)));
  }
  return p;
}

std::size_t MixedPotentialEquation::making_bytes(Device device) const {
  // About 220 stored pairs per element of a graded mesh at reach 1.3, growing with its third power; 4 kB for
  // its points, their trees and grids.
  const double reach = integration_.near_reach / 1.3;
  const double pairs = 220 * reach * reach * reach * double(system_.elements.size());
  const std::size_t block = device == Device::cuda ? 0 : sizeof(ElementBlock<float>);
  return std::size_t(pairs * double(block + sizeof(Index))) + system_.elements.size() * 4000;
}

std::size_t MixedPotentialEquation::device_bytes() const {
  return making_bytes(Device::cpu);
}

}  // namespace curlew::ie
