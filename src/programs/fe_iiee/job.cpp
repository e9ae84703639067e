// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "fem/driven/rational_sweep.hpp"
#include "fem/report/band_sweep.hpp"
#include "fem/report/mode_checks.hpp"
#include "fem/report/solver_report.hpp"
#include "io/array_names.hpp"
#include "linalg/dense/machine_speed.hpp"
#include "run/mesh_input.hpp"
#include "run/time_plan.hpp"
#include "truncation/shared_radiation.hpp"
#include "truncation/symmetric_parts.hpp"

namespace curlew::fe_iiee {
namespace {

fem::Model model_of(const TruncatedCase& c) {
  return c.splits() ? truncation::with_planes(c.model, c.options.names, 0) : c.model;
}

std::span<Complex> components(std::vector<Vec3<Complex>>& vectors) {
  static_assert(sizeof(Vec3<Complex>) == 3 * sizeof(Complex));
  return {reinterpret_cast<Complex*>(vectors.data()), 3 * vectors.size()};
}

void state_surfaces(const TruncatedCase& c, const TruncatedProblem& problem, run::Run& run) {
  const auto& surfaces = problem.surfaces();
  run.size("cells", c.mesh.num_cells());
  run.size("inner_triangles", long(surfaces.inner.size()));
  run.size("outer_triangles", long(surfaces.outer.size()));
  run.size("source_points", long(problem.inner_points().size()));
  run.size("observation_points", long(problem.num_observers()));
  double wavelength = std::numeric_limits<double>::max();
  for (const double f : c.sweep.frequencies)
    wavelength = std::min(wavelength, 2 * pi / problem.exterior(f).k);
  log::info("{} triangles on \"{}\", {} on \"{}\", {:.3g} wavelengths apart", surfaces.inner.size(),
            c.options.names.inner, surfaces.outer.size(), c.options.names.outer,
            surfaces.distance / wavelength);
  if (surfaces.element_size > wavelength / 2)
    run.warn(fmt::format("edges on \"{}\" are {:.3g} wavelengths long on average: take smaller cells ({})",
                         c.options.names.inner, surfaces.element_size / wavelength,
                         run::source_of_sizes(run)));
  if (!surfaces.is_convex)
    run.warn(
        fmt::format("the outer surface \"{}\" is not convex: the iteration may converge slowly or not at all",
                    c.options.names.outer));
}

}  // namespace

std::string Drive::suffix(std::size_t i) const {
  return io::excitation_suffix(i, shown.size(), ports.empty() ? "" : ports[shown[i]]);
}

TruncatedJob::TruncatedJob(const TruncatedCase& c, run::Run& run)
    : case_(c),
      run_(run),
      problem_(c.mesh, c.topology, model_of(c), c.options),
      combined_(system().ports(), system().modes()) {}

bool TruncatedJob::serve(const TruncatedCase& c) {
  return TruncatedProblem::serve(c.mesh, c.topology, model_of(c), c.options);
}

job::Plan TruncatedJob::plan(run::Run& run) {
  fem::check_modes(system(), case_.sweep.frequencies, case_.reference_impedance, run);
  state_surfaces(case_, problem_, run);
  const auto columns = drive_at(case_.sweep.frequencies.front()).labels.size();
  auto plan = fem::plan_system(problem_.system(), columns, run);
  plan.solution_bytes += 6 * sizeof(Complex) * columns *
                         std::size_t(problem_.inner_points().size() + problem_.outer_points().size());
  return plan;
}

void TruncatedJob::plan_time(const fem::CheckPrice& check, double checks, run::Run& run) const {
  if (!run.dry_run() || run.on_cuda()) return;
  // Found from the cases of tests/scripts/time_test.py.
  constexpr double iterations = 8;
  constexpr double radiation_flops = 500;  // a pair of points and column, at the speed of dense products
  const auto columns = double(num_columns());
  const auto steps = double(case_.sweep.expected_solutions());
  const double pairs = double(problem_.inner_points().size()) * double(problem_.num_observers());
  fem::plan_fem_seconds(system().space(), system().solver_info(),
                        {.solutions = steps,
                         .right_hand_sides = columns * (1 + iterations),
                         .written = case_.write_fields ? columns * double(case_.sweep.written.size()) : 0,
                         .field_cells = case_.field_cells,
                         .check = check,
                         .checks = checks},
                        run);
  const int processes = truncation::processes_that_radiate(run.device(), run.processes());
  const double flops = columns * iterations * radiation_flops * pairs,
               speed = linalg::measure_speed().dense_flops, checked = checks * double(check.systems.size());
  run::plan_seconds(run, "radiation", steps * flops / processes / speed);
  if (checked > 0) run::plan_seconds(run, "error estimate", checked * flops / speed);
}

Drive TruncatedJob::drive_at(double frequency) const {
  const double k = problem_.exterior(frequency).k;
  Drive drive;
  for (const auto& wave : case_.waves) {
    drive.excitations.push_back({{wave.at(k)}});
    drive.labels.push_back(
        fmt::format("wave from theta {:g} phi {:g}, {}", wave.theta_deg, wave.phi_deg, wave.polarization));
  }
  for (const auto& source : case_.sources) {
    drive.excitations.push_back({{}, -1, source});
    drive.labels.push_back(source.label);
  }
  if (!drive.labels.empty()) {
    drive.shown.resize(drive.labels.size());
    std::iota(drive.shown.begin(), drive.shown.end(), std::size_t(0));
    for (const auto& wave : case_.duals.added) {
      drive.excitations.push_back({{wave.at(k)}});
      drive.labels.emplace_back("dual wave");
    }
    return drive;
  }
  const auto& ports = system().ports();
  const auto& modes = system().modes();
  for (std::size_t m = 0; m < modes.size(); ++m) {
    drive.excitations.push_back({{}, int(m)});
    drive.labels.push_back(fem::mode_label(ports, modes[m]));
    drive.ports.push_back(ports[std::size_t(modes[m].port)]->title);
  }
  for (const Eigen::Index m : fem::excited_modes(ports, modes)) drive.shown.push_back(std::size_t(m));
  return drive;
}

void TruncatedJob::add_combined(Drive& drive) const {
  if (!combined_.is_given()) return;
  drive.combined = drive.excitations.size();
  drive.shown.push_back(drive.excitations.size());
  drive.excitations.push_back({});
  drive.labels.emplace_back(fem::CombinedExcitation::name);
  drive.ports.emplace_back("combined");
}

void TruncatedJob::add_combined(TruncationResult& result) const {
  if (!combined_.is_given()) return;
  const auto append = [&](auto& columns, std::size_t n) {
    const auto sum = combined_.of(columns.data(), n);
    columns.insert(columns.end(), sum.begin(), sum.end());
  };
  append(result.x, num_dofs());
  for (auto [currents, points] : {std::pair{&result.inner, std::size_t(problem_.inner_points().size())},
                                  std::pair{&result.outer, std::size_t(problem_.outer_points().size())}}) {
    append(currents->electric, points);
    append(currents->magnetic, points);
    ++currents->count;
  }
}

TruncationResult TruncatedJob::iterate(const Drive& drive, double frequency) {
  const auto all = case_.sweep.all();
  const auto number = std::size_t(std::ranges::lower_bound(all, frequency) - all.begin());
  std::vector<Complex> start, latest;
  if (kept_ != nullptr)
    if (auto known = kept_->find_group(number, 0)) {
      log::info("the iteration continues from its saved state");
      start = std::move((*known)["interface"]);
    }
  const auto keep = [&] {
    if (kept_ != nullptr && !latest.empty()) kept_->keep_group(number, 0, {{"interface", latest}});
  };
  Timer since_kept;
  const auto observer = [&](int iterations, double error,
                            const std::function<std::vector<Complex>()>& current) {
    log::info("iteration {}: error {:.2e}", iterations, error);
    latest = current();
    if (since_kept.seconds() < 60) return;
    keep();
    since_kept.restart();
  };
  try {
    if (!case_.splits()) return problem_.solve(frequency, drive.excitations, start, observer);
    const truncation::SymmetricParts parts(case_.mesh, case_.topology, case_.model, case_.options);
    return parts.solve(problem_, frequency, drive.excitations, start, observer);
  } catch (const Interrupted&) {  // between two iterations, or anywhere inside one
    keep();
    throw;
  }
}

Solved TruncatedJob::solve_columns(double frequency) {
  Solved s{{}, frequency, drive_at(frequency)};
  s.result = iterate(s.drive, frequency);
  const auto& iteration = s.result.iteration;
  run_.solver(system().report().method, iteration.iterations, iteration.true_residual, iteration.converged);
  if (system().is_iterative()) run_.solver_fact("inner_iterations", s.result.solver_steps);
  if (!iteration.converged)
    throw NumericalError(
        fmt::format("the truncation did not converge in {} iterations: error {:.2e}, required {:.2e} "
                    "(truncation.max_iterations)",
                    iteration.iterations, iteration.history.back(), case_.options.iteration.tolerance));
  const InterruptHold hold;
  // Difference between the fields of the two surfaces, a check of the iteration and the load on S. It is no
  // error estimate: both fields share mesh, order and shape.
  const auto outside = problem_.exterior(frequency);
  const auto far = [&](const fields::SurfacePoints& points, const fields::SurfaceCurrents& currents) {
    return fields::far_field(points, currents, case_.far_field.directions, outside, run_.device());
  };
  s.consistency = truncation::mismatch(far(problem_.inner_points(), s.result.inner),
                                       far(problem_.outer_points(), s.result.outer));
  if (!case_.is_driven_by_ports()) return s;
  // In a symmetric model 1 W refers to the whole structure.
  s.ports = system().port_solution(s.result.x.data(), share());
  s.ports.frequency = frequency;
  const auto modes = Eigen::Index(system().modes().size());
  s.waves.resize(modes, modes);
  for (Eigen::Index m = 0; m < modes; ++m) {
    const auto waves = system().outgoing(&s.result.x[std::size_t(m) * num_dofs()], int(m), share());
    s.waves.col(m) = Eigen::Map<const Eigen::VectorXcd>(waves.data(), modes);
  }
  return s;
}

Solved TruncatedJob::solve(double frequency) {
  Solved s = solve_columns(frequency);
  static_cast<fem::SweepStep&>(s) = case_.sweep.step(frequency);
  add_combined(s.drive);
  add_combined(s.result);
  return s;
}

Solved TruncatedJob::unsolved(double frequency) {
  problem_.system().take_frequency(frequency);
  Solved s{case_.sweep.step(frequency), frequency, drive_at(frequency)};
  add_combined(s.drive);
  const std::size_t columns = s.drive.labels.size();
  auto& r = s.result;
  r.iteration.converged = true;
  r.x.resize(columns * num_dofs());
  r.source_power.resize(s.drive.num_solved());
  r.inner = {Index(columns), problem_.inner_points().size()};
  r.outer = {Index(columns), problem_.outer_points().size()};
  if (!case_.is_driven_by_ports()) return s;
  const auto states = system().mode_states(frequency);
  s.ports.frequency = frequency;
  for (const Eigen::Index m : system().reported()) s.ports.modes.push_back(states[std::size_t(m)]);
  const auto modes = Eigen::Index(system().modes().size());
  s.ports.scattering.s.resize(modes, modes);
  s.waves.resize(modes, modes);
  return s;
}

job::Arrays TruncatedJob::arrays(Solved& s) const {
  const auto entries = [](Eigen::MatrixXcd& m) { return std::span(m.data(), std::size_t(m.size())); };
  auto& r = s.result;
  return {{"x", std::span(r.x)},
          {"source_power", std::span(r.source_power)},
          {"inner_electric", components(r.inner.electric)},
          {"inner_magnetic", components(r.inner.magnetic)},
          {"outer_electric", components(r.outer.electric)},
          {"outer_magnetic", components(r.outer.magnetic)},
          {"s", entries(s.ports.scattering.s)},
          {"waves", entries(s.waves)},
          {"history", &r.iteration.history},
          {"true_residual", std::span(&r.iteration.true_residual, 1)},
          {"consistency", std::span(&s.consistency, 1)}};
}

void TruncatedJob::sweep_adaptively(job::Delivery<Solved>& delivery) {
  const auto sweep = [&](const auto& solve, const auto&) {
    fem::RationalModel model;
    return fem::adaptive_sweep(system(), case_.sweep.frequencies, *case_.sweep.fast, solve, model);
  };
  const auto take = [&](Solved& s) {
    auto ports = ports_with_fields(s);
    if (!s.is_written) s.result.x = {}, s.result.inner = {}, s.result.outer = {};
    return ports;
  };
  model_error_ = fem::sweep_adaptively(
      *this, case_.sweep, sweep, take,
      [](fem::DrivenSolution ports) {
        return Solved{{.is_written = false}, ports.frequency, {}, {}, std::move(ports)};
      },
      delivery, run_);
}

fem::DrivenSolution TruncatedJob::ports_with_fields(const Solved& s) const {
  fem::DrivenSolution ports = s.ports;
  const auto& x = s.result.x;
  ports.x.assign(x.begin(), x.begin() + std::ptrdiff_t(system().modes().size() * num_dofs()));
  return ports;
}

fields::SurfaceCurrents TruncatedJob::currents(const Solved& s, std::size_t column) const {
  const auto n = std::size_t(problem_.inner_points().size());
  fields::SurfaceCurrents one(1, Offset(n));
  std::copy_n(&s.result.inner.electric[column * n], n, one.electric.begin());
  std::copy_n(&s.result.inner.magnetic[column * n], n, one.magnetic.begin());
  return one;
}

fields::FarField TruncatedJob::far_field(const Solved& s, std::size_t column,
                                         const std::vector<fields::Direction>& directions,
                                         const fields::Exterior& outside) const {
  return fields::far_field(problem_.inner_points(), currents(s, column), directions, outside, run_.device());
}

FeedPower TruncatedJob::feed_power(const Solved& s, std::size_t column, double radiated) const {
  if (s.drive.combined == column) {
    FeedPower power{combined_.budget(s.ports.scattering.s), combined_.coupled(s.ports.scattering.s)};
    power.budget.radiated = radiated;
    return power;
  }
  const int driven = s.drive.excitations[column].mode;
  if (driven < 0) return {results::source_budget(s.result.source_power[column], radiated)};
  const auto& modes = system().modes();
  double reflected = 0, coupled = 0;
  for (std::size_t m = 0; m < modes.size(); ++m)
    (modes[m].port == modes[std::size_t(driven)].port ? reflected : coupled) +=
        std::norm(s.waves(Eigen::Index(m), driven));
  return {results::port_budget(1, reflected, radiated), coupled};
}

}  // namespace curlew::fe_iiee
