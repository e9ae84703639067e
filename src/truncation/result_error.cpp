// SPDX-License-Identifier: BSD-3-Clause
#include "truncation/result_error.hpp"

#include <algorithm>
#include <cmath>

#include "fem/error/edge_ratio.hpp"
#include "truncation/symmetric_parts.hpp"

namespace curlew::truncation {
namespace {

using fem::Quantities;

constexpr double check_tolerance = 1e-4;  // of the iteration at another order, at most

/// Power waves of a driven port; none of waves and dipoles.
std::vector<Complex> waves_of(const TruncatedProblem& problem, const TruncationResult& result, std::size_t c,
                              int mode) {
  if (mode < 0) return {};
  const auto n = std::size_t(problem.system().space().num_dofs());
  return problem.system().outgoing(&result.x[c * n], mode,
                                   std::ldexp(1.0, -int(problem.surfaces().planes.size())));
}

/// Quantities of every excitation: E_theta and E_phi of its directions, radiated power, waves.
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
    fields::append_pattern(far, power[c], q);
    for (const Complex wave : waves_of(problem, result, c, r.excitations[c].mode)) q.push_back(wave);
  }
  return q;
}

Quantities solve_at(const ErrorRequest& r, const mesh::Mesh& mesh, int order) {
  fem::Model model = r.model;
  model.set_order(order);
  TruncationOptions options = r.options;
  options.iteration.tolerance = std::min(options.iteration.tolerance, check_tolerance);
  TruncatedProblem problem(mesh, r.topology, r.splits ? with_planes(model, options.names, 0) : model,
                           options);
  problem.system().analyse();
  if (!r.splits) return quantities_of(r, problem, problem.solve(r.frequency, r.excitations));
  const SymmetricParts parts(mesh, r.topology, model, options);
  return quantities_of(r, problem, parts.solve(problem, r.frequency, r.excitations));
}

}  // namespace

std::vector<ResultError> result_errors(const ErrorRequest& r, const TruncatedProblem& problem,
                                       const TruncationResult& result) {
  const Quantities q = quantities_of(r, problem, result);
  const auto shape = fem::shape_variant(r.mesh, r.topology, r.model);
  const auto changes = fem::solve_again(
      q, r.model.order, r.mesh, shape ? &*shape : nullptr,
      [&](const mesh::Mesh& mesh, int order) { return solve_at(r, mesh, order); }, {},
      fem::least_ratio(r.mesh, r.topology, r.model));
  std::vector<ResultError> errors;
  std::size_t first = 0;
  for (std::size_t c = 0; c < r.excitations.size(); ++c) {
    const std::size_t m = r.directions[c].size(), power = first + 2 * m;
    double ratio = 0;
    ResultError error{fem::pattern_error(q, changes, first, m, &ratio), {}, {}};
    const std::size_t waves = waves_of(problem, result, c, r.excitations[c].mode).size();
    for (std::size_t i = 0; i < waves; ++i) {
      const std::size_t place = power + 1 + i;
      error.waves.push_back(fem::bar_of(changes, place, ratio));
      error.wave_elements.push_back(
          fem::order_error(std::abs(changes.by_order[place]), changes.order, ratio, changes.least_ratio));
    }
    first = power + 1 + waves;
    errors.push_back(std::move(error));
  }
  return errors;
}

}  // namespace curlew::truncation
