// SPDX-License-Identifier: BSD-3-Clause
// Results of a run with waves, dipoles and currents, written and printed.
#include <algorithm>

#include "base/wavenumber.hpp"
#include "fem/error/edge_ratio.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/passes/planned_check.hpp"
#include "programs/fem/open_job.hpp"
#include "results/pattern_bars.hpp"

namespace curlew::programs {
namespace {

/// Powers of dipoles and currents in the summary.
class SourcePowers : public job::SinkOf<fem::OpenSolution, OpenJob> {
 public:
  using SinkOf::SinkOf;
  void add(std::size_t, double frequency, const fem::OpenSolution& s) override {
    const auto excitations = shown_of(case_.excitations);
    for (std::size_t i = 0; i < excitations.size(); ++i)
      if (!excitations[i].wave)
        run_.results()["sources"].push_back({{"frequency_hz", frequency},
                                             {"source", excitations[i].label},
                                             {"power_w", case_.symmetry.copies() * s.source_power[i]}});
  }
};

/// [[sensitivity]] of cross-sections: of the whole body, in the directions of the pattern.
void add_derivatives(const OpenJob& job, double f, const fem::OpenSolution& solution, Device device,
                     fem::Sensitivities& to) {
  const auto& problem = job.problem();
  const double k0 = wavenumber(f);
  const Offset n = problem.space().num_dofs();
  const auto& excitations = problem.excitations();
  const fem::RadiationCalculator calculator(problem.space(), problem.model(), *job.config().far_field,
                                            device);
  std::vector<fem::ObservedSection> sections;
  for (std::size_t i = 0, o = 0; i < shown_of(excitations).size(); ++i) {
    const auto far = calculator.compute(&solution.x[i * std::size_t(n)], 1, f).front();
    for (std::size_t d = 0; d < far.directions.size(); ++d, ++o)
      sections.push_back({job.config().duals.observations[o], {far.e_theta[d], far.e_phi[d]}});
  }
  Eigen::MatrixXcd x =
      Eigen::Map<const Eigen::MatrixXcd>(solution.x.data(), n, Eigen::Index(excitations.size()));
  for (std::size_t i = 0; i < excitations.size(); ++i) {
    const auto incident = fem::interpolate(problem.space(), [known = fem::incident_field(excitations[i], k0)](
                                                                Vec3<double> r) { return known(r).e; });
    x.col(Eigen::Index(i)) += Eigen::Map<const Eigen::VectorXcd>(incident.data(), n);
  }
  to.add(problem, f, x, 1, sections);
}

/// For every excitation E_theta and E_phi of the directions of the request, of a wave then of the one towards
/// its source, and the radiated power.
fem::Quantities quantities_of(const fem::OpenProblem& problem, const fem::OpenSolution& solution,
                              const fem::FarFieldRequest& request) {
  const fem::RadiationCalculator calculator(problem.space(), problem.model(), request);
  const double k0 = wavenumber(solution.frequency);
  const auto n = std::size_t(problem.space().num_dofs());
  fem::Quantities q;
  for (std::size_t i = 0; i < problem.excitations().size(); ++i) {
    const auto& e = problem.excitations()[i];
    const auto known = !e.wave && e.background ? fem::incident_field(e, k0) : nullptr;
    auto far = calculator.compute(&solution.x[i * n], 1, solution.frequency, known).front();
    if (e.wave) {
      const fem::RadiationCalculator back(problem.space(), problem.model(), towards_source(*e.wave, request));
      const auto returned = back.compute(&solution.x[i * n], 1, solution.frequency).front();
      far.e_theta.push_back(returned.e_theta.front()), far.e_phi.push_back(returned.e_phi.front());
    }
    fields::append_pattern(far, far.radiated, q);
  }
  return q;
}

/// Error bars of far fields, and the seconds of the run, from which those of the error estimate follow.
class PatternErrors : public fem::CheckSink<fem::OpenSolution> {
 public:
  PatternErrors(OpenJob& job, run::Run& run)
      : CheckSink(job.config().accuracy, job.config().model.order, job.config().frequencies.size(), run),
        job_(job) {}
  void plan(const job::Plan&) override {
    const auto& c = job_.config();
    const auto& problem = job_.problem();
    const auto waves = double(c.excitations.size()), steps = double(c.frequencies.size());
    if (c.far_field) plan_estimate(steps);
    fem::plan_fem_seconds(problem.space(), problem.solver_info(),
                          {.solutions = steps,
                           .right_hand_sides = waves,
                           .written = c.write_fields ? steps * waves : 0,
                           .field_cells = c.field_cells,
                           .check = check_.price,
                           .checks = double(report_.checks(c.frequencies.size()))},
                          run_);
  }

 private:
  void estimate(double, const fem::OpenSolution& solution) override;
  void estimate_by_residuals(double, const fem::OpenSolution& solution) override;
  void plan_estimate(double steps);

  OpenJob& job_;
};

void PatternErrors::plan_estimate(double steps) {
  const auto& c = job_.config();
  const auto& problem = job_.problem();
  if (report_.is_off()) return;
  auto shape = fem::shape_variant(c.mesh, c.topology, c.model);
  const bool has_facets = c.mesh.geometry_order == 1 && shape &&  // residuals have those of waves alone
                          !std::ranges::all_of(c.excitations, [](const auto& e) { return bool(e.wave); });
  const bool has_residuals = report_.is_automatic() && obstacle_to_passes(c).empty() && !has_facets;
  const auto price = fem::price_of_check(c.topology, c.model.order, shape.has_value());
  check_ = fem::plan_check(std::move(shape), price,
                           {.entries = problem.nnz(),
                            .info = problem.solver_info(),
                            .solutions = steps,
                            .has_residuals = has_residuals},
                           report_);
  if (!has_residuals || (check_.is_wanted() && frequencies_ == 1)) return;
  by_residuals_ =
      run::plan_optional(run_, {"error estimate", fem::residual_bytes(problem, 5 * c.excitations.size())});
}

void PatternErrors::estimate_by_residuals(double, const fem::OpenSolution& solution) {
  const auto errors = peak_errors(job_.config(), job_.problem(), solution, run_);
  const auto& excitations = job_.problem().excitations();
  const auto shown = shown_of(excitations).size();
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const auto& [number, error] = errors[i];
    if (number >= shown) continue;
    const auto& e = excitations[number];
    i < excitations.size()
        ? results::add_peak_bars(solution.frequency, e.label, e.wave.has_value(), error, report_)
        : results::add_section_bar(solution.frequency, e.label, "backscatter", 0, error, report_);
  }
}

void PatternErrors::estimate(double, const fem::OpenSolution& solution) {
  const auto& c = job_.config();
  const auto& problem = job_.problem();
  const auto q = quantities_of(problem, solution, *c.far_field);
  const auto solve = [&](const mesh::Mesh& on, int order) {
    fem::Model model = c.model;
    model.set_order(order);
    fem::OpenProblem again(on, c.topology, std::move(model), problem.excitations(), c.options);
    again.analyse();
    return quantities_of(again, again.solve(solution.frequency), *c.far_field);
  };
  // What a dipole within the unknown does is a field at a point, which converges more slowly than energies.
  const bool has_points = std::ranges::any_of(
      c.excitations, [](const fem::Excitation& e) { return !e.dipoles.empty() && !e.is_scattered(); });
  const auto changes = fem::solve_again(
      q, c.model.order, c.mesh, shape(), solve, {},
      std::max(fem::least_ratio(c.mesh, c.topology, c.model), has_points ? fields::rim_ratio : 0.0));
  const auto& excitations = problem.excitations();
  const std::size_t asked = c.far_field->theta_deg.size() * c.far_field->phi_deg.size();
  std::size_t first = 0;
  for (std::size_t i = 0; i < shown_of(excitations).size(); ++i) {
    const std::size_t directions = asked + (excitations[i].wave ? 1 : 0);
    const auto error = fem::pattern_error(q, changes, first, directions);
    first += 2 * directions + 1;
    const auto& label = excitations[i].label;
    excitations[i].wave
        ? results::add_wave_bars(solution.frequency, label, false, directions - 1, error, report_)
        : results::add_pattern_bars(solution.frequency, label, false, error, report_);
  }
}

}  // namespace

job::Sinks<fem::OpenSolution> open_sinks(OpenJob& job, run::Run& run) {
  job::Sinks<fem::OpenSolution> sinks;
  sinks.push_back(std::make_unique<fem::MaxwellSink<fem::OpenSolution>>(job, run));
  sinks.push_back(std::make_unique<SourcePowers>(job, run));
  const auto derive = [&](double f, const fem::OpenSolution& s, fem::Sensitivities& to) {
    add_derivatives(job, f, s, run.device(), to);
  };
  if (const auto& parameters = job.config().parameters; !parameters.empty())
    sinks.push_back(
        std::make_unique<fem::DerivativeSink<fem::OpenSolution>>(derive, parameters, std::nullopt, run));
  sinks.push_back(std::make_unique<PatternErrors>(job, run));
  return sinks;
}

}  // namespace curlew::programs
