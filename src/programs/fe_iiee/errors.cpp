// SPDX-License-Identifier: BSD-3-Clause
// Error bars of far fields, radar cross-sections, radiated powers and S of fe-iiee.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/constants.hpp"
#include "fem/error/residual_error.hpp"
#include "programs/fe_iiee/job.hpp"
#include "programs/fe_iiee/passes.hpp"
#include "programs/fe_iiee/peaks.hpp"
#include "programs/fem/check_sink.hpp"
#include "programs/fem/port_passes.hpp"
#include "results/pattern_bars.hpp"
#include "results/port_bars.hpp"
#include "truncation/result_error.hpp"

namespace curlew::fe_iiee {
namespace {

/// Every solution includes the iteration with radiation integrals: the limit for cheap estimates is lower
/// than for closed problems.
constexpr long small_unknowns = 30000;

/// A second solution makes new surfaces, radiation operator and factors: for a horn of order 3 it took 6.4
/// times the run, where unknowns predict 0.4.
constexpr double set_up_again = 16;

std::vector<std::vector<fields::Direction>> directions_of(const TruncatedCase& c, std::size_t excitations) {
  std::vector<std::vector<fields::Direction>> directions(excitations, c.far_field.directions);
  if (!c.far_field.monostatic) return directions;
  for (std::size_t i = 0; i < c.waves.size(); ++i) directions[i] = c.directions(c.waves[i]);
  return directions;
}

class Errors : public programs::CheckSink<Solved> {
 public:
  Errors(TruncatedJob& job, run::Run& run)
      : CheckSink(job.config().accuracy, job.config().model.order, job.config().sweep.written.size(), run),
        job_(job),
        case_(job.config()) {}
  void plan(const job::Plan&) override {
    if (!report_.is_off()) decide();
    job_.plan_time(check_.price, double(report_.checks(frequencies_)), run_);
  }
  /// At the middle one of the frequencies that are written, or at all of them.
  void add(std::size_t, double frequency, const Solved& s) override {
    const auto& written = case_.sweep.written;
    const auto number = std::ranges::lower_bound(written, frequency) - written.begin();
    if (s.is_written) CheckSink::add(std::size_t(number), frequency, s);
  }

 private:
  void estimate(double, const Solved& s) override {
    by_residuals_ ? estimate_by_residuals(s) : solve_again(s);
  }
  void decide();
  void solve_again(const Solved& s);
  /// From the residuals in functions of the next order.
  void estimate_by_residuals(const Solved& s);
  Eigen::MatrixXd scattering_by_residuals(const Solved& s) const;
  void peaks_by_residuals(const Solved& s, const Eigen::MatrixXd& scattering);

  TruncatedJob& job_;
  const TruncatedCase& case_;
};

void Errors::decide() {
  const auto& request = case_.accuracy;
  const auto shape = fem::shape_variant(case_.mesh, case_.topology, case_.model);
  const auto price = fem::price_of_check(case_.topology, case_.model.order, shape.has_value());
  const auto& system = job_.system();
  const results::EstimateCost cost{
      price.unknowns, set_up_again * price.solutions, double(frequencies_),
      [&] { return programs::check_memory(price, system.nnz(), system.solver_info()); }, small_unknowns};
  const bool is_asked = request.estimate != results::Estimate::automatic || request.tolerance;
  const bool is_cheap = cost.unknowns <= cost.small || cost.price <= cost.solutions;
  by_residuals_ = !is_asked && !is_cheap && obstacle_to_passes(case_).empty();
  if (!by_residuals_ && report_.is_wanted(cost)) check_ = {shape, price};
}

/// The excitation of all ports is a sum of columns and not solved for; dual waves have no results.
void Errors::solve_again(const Solved& s) {
  const Drive& drive = s.drive;
  const std::size_t solved = drive.num_solved() - case_.duals.added.size();
  const auto errors =
      truncation::result_errors({case_.mesh,
                                 case_.topology,
                                 case_.model,
                                 case_.options,
                                 s.frequency,
                                 {drive.excitations.begin(), drive.excitations.begin() + long(solved)},
                                 directions_of(case_, solved),
                                 case_.splits()},
                                job_.problem(), s.result);
  for (const std::size_t c : drive.shown)
    if (c < solved)
      results::add_pattern_bars(s.frequency, drive.labels[c], !case_.waves.empty(), errors[c], report_);
  if (!case_.is_driven_by_ports()) return;
  Eigen::MatrixXd bars = s.waves.cwiseAbs(), elements = bars;  // normalised to the modes' own impedances
  for (Eigen::Index j = 0; j < bars.cols(); ++j) {
    const auto& error = errors[std::size_t(j)];
    bars.col(j) = Eigen::Map<const Eigen::VectorXd>(error.waves.data(), bars.rows());
    elements.col(j) = Eigen::Map<const Eigen::VectorXd>(error.wave_elements.data(), bars.rows());
  }
  results::add_scattering_bars(s.frequency, s.waves, bars, elements, report_);
}

void Errors::estimate_by_residuals(const Solved& s) {
  Eigen::MatrixXd scattering;
  if (case_.is_driven_by_ports()) {
    scattering = scattering_by_residuals(s);
    results::add_scattering_bars(s.frequency, s.waves, scattering, scattering, report_);
  }
  if (job_.problem().surfaces().planes.empty()) peaks_by_residuals(s, scattering);
}

/// S_ij + δ_ij is x_iᵀ A x_j / 4jωμ0 with fields of 1 W (fem/adaptive/surplus.hpp), of which a part of a
/// symmetric body has its share.
Eigen::MatrixXd Errors::scattering_by_residuals(const Solved& s) const {
  const auto& system = std::as_const(job_).system();
  programs::require_dual(system, mesh::Target::scattering);
  const auto count = s.waves.cols();
  const Eigen::Map<const Eigen::MatrixXcd> x(s.result.x.data(), Eigen::Index(job_.num_dofs()), count);
  const double scale = 8 * pi * s.frequency * vacuum_permeability * job_.share();
  const auto found = fem::surplus_errors(system.space(), system.model(), s.frequency, x,
                                         Eigen::MatrixXd::Constant(count, count, 1 / scale),
                                         {std::as_const(job_).problem().surfaces().outer, {}});
  return fem::bars_of_one_mesh(system, found, found.gradients / scale, found.others / scale);
}

/// Of waves, and of ports whose accepted power 1 - |S|² has the bar of |S|.
void Errors::peaks_by_residuals(const Solved& s, const Eigen::MatrixXd& scattering) {
  std::vector<std::size_t> columns;
  for (const std::size_t c : s.drive.shown)
    if (c < s.drive.num_solved() - case_.duals.added.size()) columns.push_back(c);
  const auto errors = Peaks(job_, s, columns).errors();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    auto error = errors[i];
    if (const auto c = Eigen::Index(columns[i]); scattering.size() > 0)
      error.power = 2 * std::abs(s.waves(c, c)) * scattering(c, c) / (1 - std::norm(s.waves(c, c)));
    results::add_peak_bars(s.frequency, s.drive.labels[columns[i]], !case_.waves.empty(), error, report_);
  }
}

}  // namespace

std::unique_ptr<job::Sink<Solved>> error_sink(TruncatedJob& job, run::Run& run) {
  return std::make_unique<Errors>(job, run);
}

}  // namespace curlew::fe_iiee
