// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/scattering_error.hpp"

#include <cmath>

#include "fem/driven/fast_sweep.hpp"
#include "fem/error/edge_ratio.hpp"

namespace curlew::fem {
namespace {

using Map = Eigen::Map<Eigen::MatrixXcd>;
using ConstMap = Eigen::Map<const Eigen::MatrixXcd>;

/// |d_3| / |d_2| of some quantities, 0 if d_2 is unknown.
double ratio_of(const Changes& changes, std::size_t first, std::size_t last) {
  if (changes.before.empty()) return 0;
  double now = 0, before = 0;
  for (std::size_t i = first; i < last; ++i)
    now += std::norm(changes.by_order[i]), before += std::norm(changes.before[i]);
  return std::sqrt(now / before);
}

Quantities in_one_list(const StatedPorts& stated) {
  Quantities q(stated.s.data(), stated.s.data() + stated.s.size());
  q.insert(q.end(), stated.impedance.begin(), stated.impedance.end());
  return q;
}

/// The same for S of the modes at an offset in longer lists.
void align_part(Eigen::Index n, std::size_t first, Quantities& other, const Quantities& reference) {
  Map s(other.data() + first, n, n);
  const ConstMap t(reference.data() + first, n, n);
  for (Eigen::Index i = 1; i < n; ++i) {
    const double as_is =
        (s.row(i).head(i) - t.row(i).head(i)).norm() + (s.col(i).head(i) - t.col(i).head(i)).norm();
    const double turned =
        (s.row(i).head(i) + t.row(i).head(i)).norm() + (s.col(i).head(i) + t.col(i).head(i)).norm();
    if (turned >= as_is) continue;
    s.row(i) *= -1, s.col(i) *= -1;
  }
}

/// Reported values of a problem at all frequencies, in sequence.
Quantities solve_band(DrivenProblem& problem, const std::vector<Reported>& reported,
                      const StatePorts& state) {
  Quantities all;
  const auto add = [&](const DrivenSolution& solution) {
    const auto q = in_one_list(state(solution));
    all.insert(all.end(), q.begin(), q.end());
  };
  if (reported.size() < swept_from) {
    for (const auto& at : reported) add(problem.solve(at.frequency));
    return all;
  }
  std::vector<double> frequencies;
  for (const auto& at : reported) frequencies.push_back(at.frequency);
  const FastSweepOptions options{
      .tolerance = 1e-4, .max_solutions = int(frequencies.size()), .on_solution = {}};
  for (const auto& solution : sweep_band(problem, frequencies, options).solutions) add(solution);
  return all;
}

ScatteringError error_at(const Reported& reported, const Changes& changes, std::size_t first, int order) {
  const Eigen::Index n = reported.ports.s.rows();
  const auto modes = std::size_t(n * n);
  const double ratio = ratio_of(changes, first, first + modes);
  const auto elements = [&](std::size_t i) {
    return order_error(std::abs(changes.by_order[i]), order, ratio, changes.least_ratio);
  };
  ScatteringError error{reported.frequency, Eigen::MatrixXd(n, n), Eigen::MatrixXd(n, n), {}};
  for (std::size_t i = 0; i < modes; ++i) {
    error.s(Eigen::Index(i)) = bar_of(changes, first + i, ratio);
    error.elements(Eigen::Index(i)) = elements(first + i);
  }
  for (std::size_t i = 0; i < reported.ports.impedance.size(); ++i)
    error.impedance.push_back(bar_of(changes, first + modes + i, ratio));
  return error;
}

}  // namespace

void align_modes(Eigen::Index n, Quantities& other, const Quantities& reference) {
  align_part(n, 0, other, reference);
}

StatedPorts modal_scattering(const DrivenSolution& solution) {
  return {solution.scattering.s};
}

std::vector<ScatteringError> scattering_errors(const mesh::Mesh& mesh, const mesh::Topology& topology,
                                               const Model& model, const DrivenOptions& options,
                                               const ShapeVariant* shape, const std::vector<double>& followed,
                                               const std::vector<Reported>& reported,
                                               const StatePorts& state) {
  const auto solve = [&](const mesh::Mesh& on, int order) {
    Model at = model;
    at.set_order(order);
    DrivenProblem problem(on, topology, std::move(at), options);
    problem.analyse();
    if (problem.has_dispersive_ports())
      for (const double f : followed)
        if (f < reported.back().frequency) problem.mode_states(f);
    return solve_band(problem, reported, state);
  };
  Quantities all;
  std::vector<std::size_t> first;  // of the quantities at each frequency
  for (const auto& at : reported) {
    const auto q = in_one_list(at.ports);
    first.push_back(all.size());
    all.insert(all.end(), q.begin(), q.end());
  }
  const Eigen::Index n = reported.front().ports.s.rows();
  const auto align = [&](Quantities& other, const Quantities& reference) {
    for (const std::size_t at : first) align_part(n, at, other, reference);
  };
  const auto changes =
      solve_again(all, model.order, mesh, shape, solve, align, least_ratio(mesh, topology, model));
  std::vector<ScatteringError> errors;
  for (std::size_t k = 0; k < reported.size(); ++k)
    errors.push_back(error_at(reported[k], changes, first[k], model.order));
  return errors;
}

}  // namespace curlew::fem
