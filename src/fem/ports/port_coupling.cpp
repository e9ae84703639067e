// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port_coupling.hpp"

namespace curlew::fem {

Eigen::MatrixXcd coupling_of(const std::vector<PortSolution>& ports) {
  Eigen::Index modes = 0, columns = 0;
  for (const auto& port : ports) {
    modes += Eigen::Index(port.modes.size());
    if (!port.shapes.empty()) columns += Eigen::Index(port.modes.size());
  }
  Eigen::MatrixXcd k = Eigen::MatrixXcd::Zero(modes + columns, modes + columns);
  Eigen::Index first = 0, shape = modes;
  for (const auto& port : ports) {
    const auto n = Eigen::Index(port.modes.size());
    for (Eigen::Index m = 0; m < n; ++m) {
      const ModeState& state = port.modes[std::size_t(m)];
      k(first + m, first + m) += state.admittance;
      if (port.shapes.empty()) {
        k(first + m, first + m) -= state.reference;
        continue;
      }
      for (Eigen::Index j = 0; j < n; ++j)
        k(first + m, first + j) += state.reference * port.gram[std::size_t(m * n + j)];
      k(first + m, shape + m) = k(shape + m, first + m) = -state.reference;
    }
    first += n;
    if (!port.shapes.empty()) shape += n;
  }
  return k;
}

}  // namespace curlew::fem
