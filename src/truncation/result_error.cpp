// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/result_error.hpp"

#include <algorithm>
#include <cmath>

#include "truncation/symmetric_parts.hpp"

namespace curlew::truncation {
namespace {

using fem::Quantities;

/// The change of |E| may pass through zero where that of E does not: this part of it counts at least, and
/// this part of the root mean square over the directions.
constexpr double least_share = 0.3;
constexpr double check_tolerance = 1e-4;  // of the iteration at another order, at most

/// Power waves of a driven port; none of waves and dipoles.
std::vector<Complex> waves_of(const TruncatedProblem& problem, const TruncationResult& result, std::size_t c,
                              int mode) {
  if (mode < 0) return {};
  const auto n = std::size_t(problem.system().space().num_dofs());
  return problem.system().outgoing(&result.x[c * n], mode,
                                   std::ldexp(1.0, -int(problem.surfaces().planes.size())));
}

/// Of every excitation: E_theta and E_phi of its directions, radiated power, waves.
Quantities quantities_of(const ErrorRequest& r, const TruncatedProblem& problem,
                         const TruncationResult& result) {
  const auto outside = problem.exterior(r.frequency);
  const auto power = fields::radiated_power(problem.inner_points(), result.inner);
  const auto points = std::size_t(problem.inner_points().size());
  Quantities q;
  for (std::size_t c = 0; c < r.excitations.size(); ++c) {
    fields::SurfaceCurrents one(1, Offset(points));
    std::copy_n(&result.inner.electric[c * points], points, one.electric.begin());
    std::copy_n(&result.inner.magnetic[c * points], points, one.magnetic.begin());
    const auto far = fields::far_field(problem.inner_points(), one, r.directions[c], outside);
    q.insert(q.end(), far.e_theta.begin(), far.e_theta.end());
    q.insert(q.end(), far.e_phi.begin(), far.e_phi.end());
    q.push_back(power[c]);
    for (const Complex wave : waves_of(problem, result, c, r.excitations[c].mode)) q.push_back(wave);
  }
  return q;
}

Quantities solve_at(const ErrorRequest& r, const mesh::Mesh& mesh, int order) {
  fem::Model model = r.model;
  model.order = order;
  TruncationOptions options = r.options;
  options.iteration.tolerance = std::min(options.iteration.tolerance, check_tolerance);
  options.solver =
      fem::options_of_check(options.solver, order > r.model.order, fem::count_unknowns(r.topology, order));
  TruncatedProblem problem(mesh, r.topology, r.splits ? with_planes(model, options.names, 0) : model,
                           options);
  problem.system().analyse();
  if (!r.splits) return quantities_of(r, problem, problem.solve(r.frequency, r.excitations));
  const SymmetricParts parts(mesh, r.topology, model, options);
  return quantities_of(r, problem, parts.solve(problem, r.frequency, r.excitations));
}

/// Changes of the far field in one direction: of |E|, or a share of the change of E.
double field_change(const Complex* e, const Complex* d, std::size_t directions, std::size_t i) {
  const Complex t = e[i], p = e[directions + i], dt = d[i], dp = d[directions + i];
  const double before = std::sqrt(std::norm(t) + std::norm(p)),
               after = std::sqrt(std::norm(t + dt) + std::norm(p + dp)),
               whole = std::sqrt(std::norm(dt) + std::norm(dp));
  return std::max(std::abs(after - before), least_share * whole);
}

double norm_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double x : v) sum += x * x;
  return std::sqrt(sum);
}

std::vector<double> field_changes(const Quantities& q, const Quantities& change, std::size_t first,
                                  std::size_t directions) {
  std::vector<double> changes(directions, 0.0);
  if (change.empty()) return changes;
  for (std::size_t i = 0; i < directions; ++i)
    changes[i] = field_change(&q[first], &change[first], directions, i);
  const double least = least_share * norm_of(changes) / std::sqrt(double(directions));
  for (double& value : changes) value = std::max(value, least);
  return changes;
}

}  // namespace

std::vector<ResultError> result_errors(const ErrorRequest& r, const TruncatedProblem& problem,
                                       const TruncationResult& result) {
  const Quantities q = quantities_of(r, problem, result);
  const auto shape = fem::shape_variant(r.mesh, r.topology, r.model);
  const auto changes =
      fem::solve_again(q, r.model.order, r.mesh, shape ? &*shape : nullptr,
                       [&](const mesh::Mesh& mesh, int order) { return solve_at(r, mesh, order); });
  std::vector<ResultError> errors;
  std::size_t first = 0;
  for (std::size_t c = 0; c < r.excitations.size(); ++c) {
    const std::size_t m = r.directions[c].size(), power = first + 2 * m;
    const auto by_order = field_changes(q, changes.by_order, first, m),
               before = field_changes(q, changes.before, first, m),
               by_shape = field_changes(q, changes.by_shape, first, m);
    const double ratio = norm_of(before) > 0 ? norm_of(by_order) / norm_of(before) : 0;
    const auto bar = [&](std::size_t i) {
      return fem::order_error(std::abs(changes.by_order[i]), r.model.order, ratio) +
             (changes.by_shape.empty() ? 0 : fem::shape_safety * std::abs(changes.by_shape[i]));
    };
    ResultError error;
    for (std::size_t i = 0; i < m; ++i) {
      error.strength.push_back(std::sqrt(std::norm(q[first + i]) + std::norm(q[first + m + i])));
      error.field.push_back(fem::order_error(by_order[i], r.model.order, ratio) +
                            fem::shape_safety * by_shape[i]);
    }
    const double size = norm_of(error.strength);
    error.relative = norm_of(error.field) / size;
    error.order = fem::order_error(norm_of(by_order), r.model.order, ratio) / size;
    error.shape = fem::shape_safety * norm_of(by_shape) / size;
    error.power = bar(power) / std::abs(q[power]);
    const std::size_t waves = waves_of(problem, result, c, r.excitations[c].mode).size();
    for (std::size_t i = 0; i < waves; ++i) error.waves.push_back(bar(power + 1 + i));
    first = power + 1 + waves;
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace curlew::truncation
