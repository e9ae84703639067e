// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fem/port_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/error/scattering_error.hpp"

namespace curlew::programs {
namespace {

fem::StatedPorts state(const fem::PortNetwork& network, const fem::NetworkPoint& point) {
  fem::StatedPorts stated{point.s};
  for (std::size_t i = 0; i < network.size(); ++i)
    if (network.port(i).lumped) stated.impedance.push_back(network.input_impedance(point, i));
  return stated;
}

/// Bars of input impedances, in the order of `state`.
void add_impedance_bars(const fem::PortNetwork& network, const fem::NetworkPoint& point,
                        const std::vector<double>& bars, results::ErrorReport& report) {
  auto bar = bars.begin();
  for (std::size_t i = 0; i < network.size(); ++i) {
    if (!network.port(i).lumped) continue;
    const Complex z = network.input_impedance(point, i);
    report.add({point.frequency,
                fmt::format("Z{}", i + 1),
                "ohm",
                std::abs(z),
                *bar,
                *bar,
                *bar / std::abs(z),
                fmt::format("{:.5g} {:+.5g}j ohm", z.real(), z.imag()),
                fmt::format("{:.2g} ohm", *bar),
                {{fmt::format("input_impedance_{}_ohm_error", i + 1), *bar}}});
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

void add_scattering_bars(const fem::NetworkPoint& point, const Eigen::MatrixXd& bars,
                         const Eigen::MatrixXd& elements, results::ErrorReport& report) {
  for (Eigen::Index j = 0; j < bars.cols(); ++j) {
    for (Eigen::Index i = 0; i < bars.rows(); ++i) {
      const double size = std::abs(point.s(i, j)), error = bars(i, j),
                   decibels = results::decibel_error(size, error);
      report.add({point.frequency,
                  fmt::format("S{},{}", i + 1, j + 1),
                  "1",
                  size,
                  error,
                  elements(i, j),
                  error,
                  fmt::format("{:.4f} dB", 20 * std::log10(std::max(size, 1e-30))),
                  fmt::format("{:.2g} dB, |delta S| {:.1e}", decibels, error),
                  {{fmt::format("s{}_{}_error", i + 1, j + 1), error},
                   {fmt::format("s{}_{}_db_error", i + 1, j + 1), decibels}}});
    }
  }
}

void state_port_errors(const PortCheck& check, const fem::PortNetwork& network,
                       const std::vector<double>& solved, results::ErrorReport& report, run::Run& run) {
  if (report.is_off()) return;
  const auto& model = check.problem.model();
  const auto timer = run.stage("error estimate");
  const auto shape = fem::shape_variant(check.mesh, check.topology, model);
  const auto price = fem::price_of_check(check.topology, model.order, shape.has_value());
  if (!report.is_wanted(price.unknowns, price.solutions, double(solved.size()))) return;
  const auto stated = [&](const fem::DrivenSolution& solution) {
    fem::PortNetwork again(check.problem.ports(), check.problem.modes(), check.reference_impedance);
    again.add(solution.frequency, solution.modes, solution.scattering.s);
    return state(again, again.points().front());
  };
  const auto estimate = [&](const fem::NetworkPoint& point) {
    const auto error =
        fem::scattering_error(check.mesh, check.topology, model, check.options, shape ? &*shape : nullptr,
                              check.frequencies, point.frequency, state(network, point), stated);
    add_scattering_bars(point, error.s, error.elements, report);
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
