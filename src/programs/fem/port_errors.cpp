// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/port_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/error/scattering_error.hpp"
#include "results/port_bars.hpp"

namespace curlew::programs {
namespace {

fem::StatedPorts state(const fem::PortNetwork& network, const fem::NetworkPoint& point) {
  fem::StatedPorts stated{point.s};
  for (std::size_t i = 0; i < network.size(); ++i)
    if (network.port(i).has_terminals()) stated.impedance.push_back(network.input_impedance(point, i));
  return stated;
}

/// Bars of input impedances, in the order of `state`.
void add_impedance_bars(const fem::PortNetwork& network, const fem::NetworkPoint& point,
                        const std::vector<double>& bars, results::ErrorReport& report) {
  auto bar = bars.begin();
  for (std::size_t i = 0; i < network.size(); ++i) {
    if (!network.port(i).has_terminals()) continue;
    const Complex z = network.input_impedance(point, i);
    results::add_impedance_bar(point.frequency, i + 1, z, *bar, report);
    ++bar;
  }
}

}  // namespace

const fem::NetworkPoint& most_sensitive_point(const fem::PortNetwork& network,
                                              const std::vector<double>& solved) {
  const auto& points = network.points();
  const auto slope = [&](std::size_t a, std::size_t b) {
    return (points[b].s - points[a].s).norm() / (points[b].frequency - points[a].frequency);
  };
  std::size_t chosen = points.size();
  double greatest = -1;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::find(solved.begin(), solved.end(), points[i].frequency) == solved.end()) continue;
    const double here = std::max(i > 0 ? slope(i - 1, i) : 0, i + 1 < points.size() ? slope(i, i + 1) : 0);
    if (here > greatest) greatest = here, chosen = i;
  }
  return points.at(chosen);
}

void state_port_errors(const PortCheck& check, const fem::PortNetwork& network,
                       const std::vector<double>& solved, results::ErrorReport& report, run::Run& run) {
  if (report.is_off()) return;
  if (!check.planned.is_wanted()) return report.close("");
  const auto& model = check.problem.model();
  const auto& shape = check.planned.shape;
  const auto timer = run.stage("error estimate");
  const auto stated = [&](const fem::DrivenSolution& solution) {
    fem::PortNetwork again(check.problem.ports(), check.problem.modes(), check.reference_impedance);
    again.add(solution.frequency, solution.modes, solution.scattering.s);
    return state(again, again.points().front());
  };
  const auto estimate = [&](const fem::NetworkPoint& point) {
    const auto error =
        fem::scattering_error(check.mesh, check.topology, model, check.options, shape ? &*shape : nullptr,
                              check.frequencies, point.frequency, state(network, point), stated);
    results::add_scattering_bars(point.frequency, point.s, error.s, error.elements, report);
    add_impedance_bars(network, point, error.impedance, report);
  };
  report.attempt([&] {
    if (!report.all_frequencies()) return estimate(most_sensitive_point(network, solved));
    for (const auto& point : network.points())
      if (std::find(solved.begin(), solved.end(), point.frequency) != solved.end()) estimate(point);
  });
  const bool chosen = network.points().size() > 1 && !report.all_frequencies();
  report.close(fem::describe_check(model.order, shape.has_value()) +
               (chosen ? ", at the frequency where S changes fastest" : ""));
}

}  // namespace curlew::programs
