// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/errors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "programs/fem/check_memory.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"

namespace curlew::fe_iiee {
namespace {

/// Every solution takes the iteration with its radiation integrals too: the limit below which an estimate
/// counts as cheap is lower than that of closed problems.
constexpr long small_unknowns = 10000;

std::vector<std::vector<fields::Direction>> directions_of(const Setup& setup, std::size_t excitations) {
  std::vector<std::vector<fields::Direction>> directions(excitations, setup.far_field.directions);
  if (!setup.far_field.monostatic) return directions;
  for (std::size_t c = 0; c < setup.waves.size(); ++c) directions[c] = directions_of(setup, setup.waves[c]);
  return directions;
}

/// A check makes surfaces, radiation operator and factors anew: for a horn of order 3 it took 6.4 runs where
/// the unknowns alone say 0.4.
constexpr double set_up_again = 16;

}  // namespace

ErrorOutput::ErrorOutput(const Setup& setup, const TruncatedProblem& problem,
                         const results::AccuracyRequest& request, run::Run& run)
    : setup_(setup), run_(run), report_(request, run) {
  if (report_.is_off()) return;
  has_shape_ = fem::shape_variant(setup.mesh, setup.topology, setup.model).has_value();
  const auto price = fem::price_of_check(setup.topology, setup.model.order, has_shape_);
  const auto& system = problem.system();
  const auto memory = [&] { return programs::check_memory(price, system.nnz(), system.solver_info()); };
  if (report_.is_wanted({price.unknowns, set_up_again * price.solutions, double(setup.sweep.written.size()),
                         memory, small_unknowns}))
    price_ = price;
}

void ErrorOutput::add(double frequency, const TruncatedProblem& problem, const TruncationResult& result,
                      const Drive& drive) {
  const auto& written = setup_.sweep.written;
  const double middle = written[(written.size() - 1) / 2];
  if (price_.systems.empty() || (!report_.all_frequencies() && frequency != middle)) return;
  const auto timer = run_.stage("error estimate");
  report_.attempt([&] { estimate(frequency, problem, result, drive); });
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
  const auto n = std::size_t(problem.system().space().num_dofs());
  const double share = std::ldexp(1.0, -int(problem.surfaces().planes.size()));
  const auto count = Eigen::Index(bars.size());
  Eigen::MatrixXcd s(count, count);
  Eigen::MatrixXd errors(count, count), elements(count, count);
  for (Eigen::Index j = 0; j < count; ++j) {
    const auto waves = problem.system().outgoing(&result.x[std::size_t(j) * n],
                                                 drive.excitations[std::size_t(j)].mode, share);
    for (Eigen::Index i = 0; i < count; ++i) {
      s(i, j) = waves[std::size_t(i)];
      errors(i, j) = bars[std::size_t(j)].waves[std::size_t(i)];
      elements(i, j) = bars[std::size_t(j)].wave_elements[std::size_t(i)];
    }
  }
  results::add_scattering_bars(frequency, s, errors, elements, report_);
}

void ErrorOutput::close() {
  report_.close(
      fem::describe_check(setup_.model.order, has_shape_) +
      (setup_.sweep.written.size() > 1 && !report_.all_frequencies() ? ", at the middle frequency" : ""));
}

}  // namespace curlew::fe_iiee
