// SPDX-License-Identifier: BSD-3-Clause
#include "fem/passes/port_errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fem/error/sweep_error.hpp"
#include "results/port_bars.hpp"

namespace curlew::fem {
namespace {

StatedPorts state(const PortNetwork& network, const NetworkPoint& point) {
  StatedPorts stated{point.s};
  for (std::size_t i = 0; i < network.size(); ++i)
    if (network.port(i).has_terminals()) stated.impedance.push_back(network.input_impedance(point, i));
  return stated;
}

/// Bars of input impedances, in the order of `state`.
void add_impedance_bars(const PortNetwork& network, const NetworkPoint& point, const ScatteringError& error,
                        results::ErrorReport& report) {
  auto bar = error.impedance.begin();
  for (std::size_t i = 0; i < network.size(); ++i) {
    if (!network.port(i).has_terminals()) continue;
    const Complex z = network.input_impedance(point, i);
    results::add_impedance_bar(point.frequency, i + 1, z, *bar, report, error.is_spread);
    ++bar;
  }
}

/// Bars of the input impedances Z ~ (1 + S) / (1 - S) from those of S, at the points of a network.
void set_impedances(std::vector<ScatteringError>& errors, const PortNetwork& network) {
  for (std::size_t k = 0; k < errors.size(); ++k) {
    const auto& point = network.points()[k];
    errors[k].impedance.clear();
    for (std::size_t i = 0; i < network.size(); ++i) {
      if (!network.port(i).has_terminals()) continue;
      const Complex s = point.s(Eigen::Index(i), Eigen::Index(i));
      errors[k].impedance.push_back(std::abs(network.input_impedance(point, i)) * 2 *
                                    errors[k].s(Eigen::Index(i), Eigen::Index(i)) / std::abs(1.0 - s * s));
    }
  }
}

/// Errors of full solutions interpolated over frequency; between them the elements' error is known
/// separately.
std::vector<ScatteringError> spread_residual_errors(const std::vector<ScatteringError>& found,
                                                    const std::vector<double>& frequencies,
                                                    const std::vector<Steepness>& steepness) {
  std::vector<ScatteringError> known, between;
  for (const auto& error : found) (error.is_spread ? between : known).push_back(error);
  auto errors = spread_errors(frequencies, steepness, known);
  for (auto& error : errors) {
    const auto own = std::ranges::find(between, error.frequency, &ScatteringError::frequency);
    if (own == between.end()) continue;
    error.s += own->elements - error.elements;
    error.elements = own->elements;
  }
  return errors;
}

/// Frequencies [Hz] at which the points of a network were solved.
std::vector<double> solved_frequencies(const PortNetwork& network) {
  std::vector<double> frequencies;
  for (const auto& point : network.points()) frequencies.push_back(point.solved_at);
  return frequencies;
}

/// Modes and S at all frequencies.
std::vector<DrivenSolution> stated_by(const PortNetwork& network) {
  std::vector<DrivenSolution> stated;
  for (const auto& point : network.points()) {
    DrivenSolution solution;
    solution.frequency = point.solved_at, solution.modes = point.modes, solution.scattering.s = point.modal;
    stated.push_back(std::move(solution));
  }
  return stated;
}

}  // namespace

void PortResiduals::add(DrivenSolution solution) {
  tested_.insert(solution.frequency);
  waiting_.push_back(std::move(solution));
  if (waiting_.size() >= most_) estimate(waiting_);
}

const std::vector<ScatteringError>& PortResiduals::bars(const PortNetwork& network) {
  if (!waiting_.empty()) estimate(bars_.empty() ? stated_by(network) : waiting_);
  return bars_;
}

void PortResiduals::estimate(const std::vector<DrivenSolution>& stated) {
  const auto timer = run_.stage("error estimate");
  std::ranges::sort(waiting_, {}, &DrivenSolution::frequency);
  report_.attempt([&] {
    for (auto& error : residual_errors(system_, waiting_, stated, context_))
      bars_.push_back(std::move(error));
  });
  waiting_.clear();
}

std::size_t estimated_frequencies(const PlannedCheck& check, std::size_t frequencies, double solutions,
                                  const results::ErrorReport& report) {
  constexpr double small = 120000;  // unknowns of all systems of the check: about two seconds
  constexpr std::size_t most = 4;   // more cost more than they improve the estimate
  if (report.all_frequencies()) return frequencies;
  if (report.one_frequency()) return std::min<std::size_t>(1, frequencies);
  const double all = frequencies < swept_from ? double(frequencies) : sweep_solutions;
  if (double(check.price.unknowns) * all <= small || check.price.solutions * all <= solutions)
    return frequencies;
  return std::min(frequencies,
                  std::clamp(std::size_t(solutions / check.price.solutions), std::size_t(1), most));
}

void state_port_errors(const PortCheck& check, const PortNetwork& network, double model_error,
                       const std::vector<double>& solved, results::ErrorReport& report, run::Run& run) {
  if (report.is_off()) return;
  const bool by_residuals = !check.by_residuals.empty();
  if ((!check.planned.is_wanted() && !by_residuals) || network.points().empty())
    return report.close("from residuals in elements of the next order");
  const auto stated = [&](const DrivenSolution& solution) {
    PortNetwork again(check.system.ports(), check.system.modes(), check.reference_impedance);
    again.add(solution.frequency, solution.modes, solution.scattering.s);
    return state(again, again.points().front());
  };
  const auto& points = network.points();
  std::vector<Eigen::MatrixXcd> s;
  for (const auto& point : points) s.push_back(point.s);
  const auto steepness = fem::steepness(solved_frequencies(network), s);
  auto chosen = by_residuals ? std::vector<std::size_t>()
                             : steepest(steepness, estimated_frequencies(check.planned, points.size(),
                                                                         double(solved.size()), report));
  std::sort(chosen.begin(), chosen.end());
  report.attempt([&] {
    std::vector<Reported> reported;
    for (const std::size_t i : chosen) reported.push_back({points[i].solved_at, state(network, points[i])});
    const auto solve_again = [&] {
      const auto timer = run.stage("error estimate");
      return check.solve_again(reported, stated);
    };
    const auto frequencies = solved_frequencies(network);
    auto errors = by_residuals ? spread_residual_errors(check.by_residuals, frequencies, steepness)
                               : spread_errors(frequencies, steepness, solve_again());
    if (by_residuals && check.by_residuals.size() == points.size())
      widen_by_shift(errors, frequencies, s);
    else
      widen_unresolved(errors, s);
    if (by_residuals) set_impedances(errors, network);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const bool is_solved = std::find(solved.begin(), solved.end(), points[i].solved_at) != solved.end();
      const auto with_model = [&](Eigen::MatrixXd bars) -> Eigen::MatrixXd {
        if (!is_solved) bars.array() += model_error;
        return bars;
      };
      results::add_scattering_bars(points[i].frequency, points[i].s, with_model(errors[i].s),
                                   with_model(errors[i].elements), report, errors[i].is_spread);
      add_impedance_bars(network, points[i], errors[i], report);
    }
  });
  if (by_residuals)
    return report.close(fmt::format(
        "from residuals{} in elements of the next order, at {} of {} frequencies", check.of_what,
        std::ranges::count(check.by_residuals, false, &ScatteringError::is_spread), points.size()));
  const auto at =
      chosen.size() == points.size() ? std::string()
      : chosen.size() == 1
          ? ", at the frequency where S changes fastest; the other bars follow from it"
          : fmt::format(", at the {} frequencies where S changes fastest; the others follow from these",
                        chosen.size());
  report.close(describe_check(check.system.model().order, check.planned.shape.has_value()) + at);
}

}  // namespace curlew::fem
