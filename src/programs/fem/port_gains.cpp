// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/port_gains.hpp"

#include "fem/error/residual_error.hpp"
#include "fem/passes/port_gains.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"

namespace curlew::programs {

fem::SurplusErrors add_gain_bars(DrivenJob& job, const fem::DrivenSolution& solution,
                                 results::ErrorReport& report) {
  const auto& system = job.problem();
  const fem::PortGains gains = job.gains(solution);
  auto found = gains.test(0 * gains.weights());
  const Eigen::MatrixXd bars = fem::bars_of_one_mesh(system, found, found.gradients, found.others);
  const Eigen::MatrixXcd& s = solution.scattering.s;
  const double form = std::abs(fem::form_of_scattering(solution.frequency));
  for (std::size_t i = 0; i < gains.size(); ++i) {
    const double of_square = gains.bar_of_square(i, found);
    fields::PatternError error{.field = {0.5 * gains.strength(i) * of_square},
                               .strength = {gains.strength(i)},
                               .order = 0.5 * of_square};
    const Eigen::Index column = gains.column(i);
    error.power = results::bar_of_power(s.col(column), bars.col(column).head(s.rows()) / form);
    error.gain = gains.bar(i, found);
    results::add_peak_bars(solution.frequency,
                           fem::mode_label(system.ports(), system.modes()[std::size_t(column)]), false, error,
                           report);
  }
  return found;
}

}  // namespace curlew::programs
