// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/gain_error.hpp"

#include <cmath>

namespace curlew::fem {

std::vector<Eigen::Index> modes_of_port(const std::vector<ModePlace>& modes, Eigen::Index mode) {
  std::vector<Eigen::Index> same;
  for (std::size_t m = 0; m < modes.size(); ++m)
    if (modes[m].port == modes[std::size_t(mode)].port) same.push_back(Eigen::Index(m));
  return same;
}

double accepted_power(const PortPeak& peak, const Eigen::MatrixXcd& s) {
  double accepted = 1;
  for (const Eigen::Index m : peak.modes) accepted -= std::norm(s(m, peak.column));
  return accepted;
}

double change_of_gain(const PortPeak& peak, const Eigen::MatrixXcd& s, Complex form,
                      const Eigen::MatrixXcd& changes) {
  double reflected = 0;
  for (const Eigen::Index m : peak.modes)
    reflected += 2 * std::real(std::conj(s(m, peak.column)) * changes(m, peak.column) / form);
  return peak.weight * changes(peak.row, peak.column).real() + reflected / accepted_power(peak, s);
}

}  // namespace curlew::fem
