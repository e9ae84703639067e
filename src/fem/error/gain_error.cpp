// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/gain_error.hpp"

#include <cmath>

namespace curlew::fem {

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
