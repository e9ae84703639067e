// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All ports of a finite-element problem driven at once.

#include "fem/driven/port_network.hpp"
#include "results/combined.hpp"

namespace curlew::programs {

class CombinedExcitation : public results::CombinedExcitation {
 public:
  /// @param modes the reported ones @throws InputError if all amplitudes are zero
  CombinedExcitation(const std::vector<fem::PortPtr>& ports, const std::vector<fem::ModePlace>& modes);
};

}  // namespace curlew::programs
