// SPDX-License-Identifier: BSD-3-Clause
#include "results/port_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decibel.hpp"
#include "results/s_parameters.hpp"

namespace curlew::results {

void add_scattering_bars(double frequency, const Eigen::MatrixXcd& s, const Eigen::MatrixXd& bars,
                         const Eigen::MatrixXd& elements, ErrorReport& report, bool is_spread) {
  for (Eigen::Index j = 0; j < bars.cols(); ++j) {
    for (Eigen::Index i = 0; i < bars.rows(); ++i) {
      const double size = std::abs(s(i, j)), error = bars(i, j), decibels = decibel_error(size, error);
      report.add({frequency,
                  s_name(std::size_t(i), std::size_t(j), std::size_t(bars.rows())),
                  "1",
                  size,
                  error,
                  elements(i, j),
                  error,
                  fmt::format("{:.4f} dB", curlew::decibel(size)),
                  fmt::format("{:.2g} dB, |delta S| {:.1e}", decibels, error),
                  {{fmt::format("s{}_{}_error", i + 1, j + 1), error},
                   {fmt::format("s{}_{}_db_error", i + 1, j + 1), decibels}},
                  "",
                  is_spread});
    }
  }
}

double bar_of_power(const Eigen::VectorXcd& s, const Eigen::VectorXd& bars) {
  const Eigen::ArrayXd sizes = s.cwiseAbs();
  return (bars.array() * (2 * sizes + bars.array())).sum() / (1 - sizes.square().sum());
}

double bar_of_power_of_currents(Complex s, double bar) {
  const double by_impedance = 2 * bar * (1 / std::abs(1.0 - s * s) + 1 / std::abs(1.0 - s));
  if (std::abs(s) >= 1) return by_impedance;
  return std::min(by_impedance,
                  bar_of_power(Eigen::VectorXcd::Constant(1, s), Eigen::VectorXd::Constant(1, bar)));
}

void add_impedance_bar(double frequency, std::size_t mode, Complex impedance, double bar, ErrorReport& report,
                       bool is_spread) {
  report.add({frequency,
              fmt::format("Z{}", mode),
              "ohm",
              std::abs(impedance),
              bar,
              bar,
              bar / std::abs(impedance),
              fmt::format("{:.5g} {:+.5g}j ohm", impedance.real(), impedance.imag()),
              fmt::format("{:.2g} ohm", bar),
              {{fmt::format("input_impedance_{}_ohm_error", mode), bar}},
              "",
              is_spread});
}

}  // namespace curlew::results
