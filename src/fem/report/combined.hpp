// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How ports of a finite-element problem are driven: one after another, or all at once.

#include "fem/driven/port_network.hpp"
#include "results/combined.hpp"

namespace curlew::fem {

/// Rows of S whose fields are written: the first mode of every excited port (of a Floquet port both
/// polarisations of (0,0)), or of the first port where no port is excited and none has an amplitude.
std::vector<Eigen::Index> excited_modes(const std::vector<PortPtr>& ports,
                                        const std::vector<ModePlace>& modes);

class CombinedExcitation : public results::CombinedExcitation {
 public:
  /// @param modes the reported ones @throws InputError if all amplitudes are zero
  CombinedExcitation(const std::vector<PortPtr>& ports, const std::vector<ModePlace>& modes);
};

}  // namespace curlew::fem
