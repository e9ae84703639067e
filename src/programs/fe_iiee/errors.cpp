// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/error/residual_error.hpp"
#include "programs/fem/planned_check.hpp"
#include "programs/fem/port_passes.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"

namespace curlew::fe_iiee {
namespace {

/// Every solution takes the iteration with its radiation integrals too: the limit below which an estimate
/// counts as cheap is lower than that of closed problems.
constexpr long small_unknowns = 30000;

std::vector<std::vector<fields::Direction>> directions_of(const Setup& setup, std::size_t excitations) {
  std::vector<std::vector<fields::Direction>> directions(excitations, setup.far_field.directions);
  if (!setup.far_field.monostatic) return directions;
  for (std::size_t c = 0; c < setup.waves.size(); ++c) directions[c] = directions_of(setup, setup.waves[c]);
  return directions;
}

/// A check makes surfaces, radiation operator and factors anew: for a horn of order 3 it took 6.4 runs where
/// the unknowns alone say 0.4.
constexpr double set_up_again = 16;

/// Of the power at a port, what comes to the modelled part of a symmetric body.
double share_of(const TruncatedProblem& problem) {
  return std::ldexp(1.0, -int(problem.surfaces().planes.size()));
}

}  // namespace

ErrorOutput::ErrorOutput(const Setup& setup, const TruncatedProblem& problem,
                         const results::AccuracyRequest& request, run::Run& run)
    : setup_(setup), run_(run), report_(request, run) {
  if (report_.is_off()) return;
  has_shape_ = fem::shape_variant(setup.mesh, setup.topology, setup.model).has_value();
  const auto price = fem::price_of_check(setup.topology, setup.model.order, has_shape_);
  const auto& system = problem.system();
  const auto memory = [&] { return programs::check_memory(price, system.nnz(), system.solver_info()); };
  const results::EstimateCost cost{price.unknowns, set_up_again * price.solutions,
                                   double(setup.sweep.written.size()), memory, small_unknowns};
  const bool is_asked = request.estimate != results::Estimate::automatic || request.tolerance;
  const bool is_cheap = cost.unknowns <= cost.small || cost.price <= cost.solutions;
  by_residuals_ =
      !is_asked && !is_cheap && setup.is_driven_by_ports() && setup.waves.empty() && setup.sources.empty();
  if (!by_residuals_ && report_.is_wanted(cost)) price_ = price;
}

void ErrorOutput::add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                      const Drive& drive) {
  const auto& written = setup_.sweep.written;
  const double middle = written[(written.size() - 1) / 2];
  const bool is_estimated = by_residuals_ || !price_.systems.empty();
  if (!is_estimated || (!report_.all_frequencies() && frequency != middle)) return;
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] {
    by_residuals_ ? estimate_by_residuals(frequency, problem, result, drive)
                  : estimate(frequency, problem, result, drive);
  });
}

void ErrorOutput::estimate(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                           const Drive& drive) {
  // All ports at once is a sum of columns, which is not solved for.
  // Nor have dual waves results of their own.
  const std::size_t solved = drive.combined.value_or(drive.excitations.size()) - setup_.duals.added.size();
  const std::vector excitations(drive.excitations.begin(), drive.excitations.begin() + long(solved));
  const auto errors =
      truncation::result_errors({setup_.mesh, setup_.topology, setup_.model, setup_.options, frequency,
                                 excitations, directions_of(setup_, solved), setup_.splits()},
                                problem, result);
  for (const std::size_t c : drive.shown)
    if (c < solved)
      results::add_pattern_bars(frequency, drive.labels[c], !setup_.waves.empty(), errors[c], report_);
  if (!setup_.is_driven_by_ports()) return;
  add_scattering(frequency, problem, result, drive, errors);
}

/// S against the modes' own impedances. Rows of `bars` belong to the incident modes.
void ErrorOutput::add_scattering(double frequency, const TruncatedProblem& problem,
                                 const TruncationResult& result, const Drive& drive,
                                 const std::vector<truncation::ResultError>& bars) {
  const auto count = Eigen::Index(bars.size());
  Eigen::MatrixXd errors(count, count), elements(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    for (Eigen::Index i = 0; i < count; ++i) {
      errors(i, j) = bars[std::size_t(j)].waves[std::size_t(i)];
      elements(i, j) = bars[std::size_t(j)].wave_elements[std::size_t(i)];
    }
  }
  results::add_scattering_bars(frequency, scattering(problem, result, drive, count), errors, elements,
                               report_);
}

Eigen::MatrixXcd ErrorOutput::scattering(const TruncatedProblem& problem, const TruncationResult& result,
                                         const Drive& drive, Eigen::Index count) const {
  const auto n = std::size_t(problem.system().space().num_dofs());
  Eigen::MatrixXcd s(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const auto waves = problem.system().outgoing(&result.x[std::size_t(j) * n],
                                                 drive.excitations[std::size_t(j)].mode, share_of(problem));
    for (Eigen::Index i = 0; i < count; ++i) s(i, j) = waves[std::size_t(i)];
  }
  return s;
}

/// S_ij + δ_ij is x_iᵀ A x_j / 4jωμ0 with fields of 1 W (fem/adaptive/surplus.hpp), of which a part of a
/// symmetric body has its share.
void ErrorOutput::estimate_by_residuals(double frequency, const TruncatedProblem& problem,
                                        const TruncationResult& result, const Drive& drive) {
  const auto& system = problem.system();
  programs::require_dual(system, programs::Target::scattering);
  const auto count = Eigen::Index(drive.combined.value_or(drive.excitations.size()));
  const Eigen::Map<const Eigen::MatrixXcd> x(result.x.data(), system.space().num_dofs(), count);
  const double scale = 8 * pi * frequency * vacuum_permeability * share_of(problem);
  const auto found =
      fem::surplus_errors(system.space(), system.model(), frequency, x,
                          Eigen::MatrixXd::Constant(count, count, 1 / scale), {problem.surfaces().outer, {}});
  const auto bars = fem::bars_of_one_mesh(system, found, found.gradients / scale, found.others / scale);
  results::add_scattering_bars(frequency, scattering(problem, result, drive, count), bars, bars, report_);
}

void ErrorOutput::close() {
  if (by_residuals_)
    run_.line(
        "S has error bars from its residuals; facets and far fields have none, as solving again costs "
        "more than the run: [accuracy] estimate = \"one\" does it");
  std::string how = by_residuals_ ? "from residuals in elements of the next order"
                                  : fem::describe_check(setup_.model.order, has_shape_);
  if (setup_.sweep.written.size() > 1 && !report_.all_frequencies()) how += ", at the middle frequency";
  report_.close(how);
}

}  // namespace curlew::fe_iiee
