// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/device.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "ie/solved/surface_checks.hpp"
#include "ie/solved/surface_groups.hpp"
#include "ie/surface/choose_accuracy.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"

namespace curlew::programs {
namespace {

/// For iterations that do not converge.
std::string advice_for(const ie::System& system) {
  const char* small_cells =
      ie::has_dielectrics(system.problem()) ? "" : " or (small cells against the wavelength) \"loop_star\"";
  return fmt::format(": method = \"direct\" where memory allows, or preconditioner = \"near\"{}",
                     small_cells);
}

void check_config(const io::Config& config, const ie::System& first, const ie::SurfaceConfig& c) {
  config.check_unknown_keys();
  if (!c.solver.direct && !c.automatic_preconditioner)
    ie::check_preconditioner(first, c.solver.preconditioner);
  for (const auto& port : c.ports) ie::find_port(first, port);
  ie::check_dipoles(config, first);
}

}  // namespace

ie::SurfaceConfig with_duals(ie::SurfaceConfig config) {
  for (const auto& wave : config.duals.added) config.waves.push_back({{}, wave});
  return config;
}

SurfaceProblem::SurfaceProblem(const io::Config& document, const mesh::Mesh& mesh, ie::SurfaceConfig config,
                               bool is_refined, run::Run& run)
    : config_(std::move(config)), is_refined_(is_refined), run_(run), problems_(config_.surfaces, mesh) {
  const double first = config_.frequencies.front();
  choose_rules(*system_at(first));
  const auto system = system_at(first);
  decide_adaptive(document, *system);
  solved_ = with_duals(config_);
  check_config(document, *system, config_);
}

/// Chooses the solver, and coarser rules if near pairs do not fit the GPU.
void SurfaceProblem::choose_rules(const ie::System& finest) {
  const auto all = with_duals(config_);
  auto c = ie::MirroredWaves(all, finest).solved_part(all);
  ie::choose_solver(finest, c);
  if (c.automatic_preconditioner)
    c.solver.preconditioner = ie::choose_preconditioner(finest, c.solver.device, ie::num_right_hand_sides(c));
  accuracy_ = ie::choose_accuracy(finest, c.solver, device_info().free_memory);
  if (accuracy_.medium < finest.integrals(0).accuracy().medium)
    log::info("near pairs extend over {:g} edges instead of {:g}: more do not fit on the GPU",
              accuracy_.medium, finest.integrals(0).accuracy().medium);
  config_.solver = c.solver;
}

/// A requested adaptive sweep must be possible; a default one must also save time.
void SurfaceProblem::decide_adaptive(const io::Config& document, const ie::System& system) {
  auto& c = config_;
  if (!c.adaptive) return;
  const bool is_met = ie::can_sample(c);
  if (c.adaptive->is_stated)
    document.table("frequency")
        .require(is_met, "adaptive_tolerance",
                 "adaptive_tolerance must be at least 10 times solver.tolerance: errors of iterations are "
                 "noise between the frequencies");
  else if (!is_met || ie::can_drop_currents(c, system) || processes() != nullptr)
    c.adaptive.reset();
  if (c.adaptive && c.written.empty() && c.near_fields.empty())
    c.written = {c.frequencies.front(), c.frequencies[c.frequencies.size() / 2], c.frequencies.back()};
}

void SurfaceProblem::state_equation(run::Run& run) const {
  const auto& chosen = problems_.chosen();
  if (!chosen) return;
  const std::string name = chosen->equation == ie::Equation::efie         ? "efie"
                           : chosen->testing == ie::MagneticTesting::dual ? "cfie_dual"
                                                                          : "cfie";
  log::info("equation: {}, because {}", name, chosen->reason);
  run.results()["equation"] = name, run.results()["equation_reason"] = chosen->reason;
}

/// The system of the highest frequency, which has the greatest wavenumbers.
std::shared_ptr<const ie::System> SurfaceProblem::highest() const {
  return system_at(*std::max_element(config_.frequencies.begin(), config_.frequencies.end()));
}

void SurfaceProblem::plan_near_series(run::Run& run) {
  const std::size_t bytes = ie::near_series_bytes(config_, *highest());
  has_near_series_ = bytes > 0;
  if (has_near_series_) run.plan("integrals of near pairs of all frequencies", bytes);
}

void SurfaceProblem::take(ie::KnownColumns known) {
  if (config_.adaptive && known.are_those_of(problems_.mesh(), accuracy_, config_.solver))
    known_ = std::move(known);
}

void SurfaceProblem::keep_in(const run::FrequencySweep& sweep) {
  sweep_ = &sweep;
  if (has_near_series_ && known_.at.empty())
    near_series_.emplace(*highest());  // before the process is copied: copies share them
}

/// Before any work: scenes are made again when their turn comes. Says once where the mesh is the coarsest.
void SurfaceProblem::check_scenes(run::Run& run) const {
  std::optional<std::pair<ie::Problem, ie::Scene>> coarsest;
  double least = 0;
  const auto& all = config_.frequencies;                           // ascending
  const bool are_alike = problems_.at(all.back()).bodies.empty();  // all but the wavelength
  for (std::size_t i = are_alike ? all.size() - 1 : 0; i < all.size(); ++i) {
    ie::Problem problem = problems_.at(all[i]);
    ie::Scene scene = ie::make_scene(problem);
    const double per_wavelength = ie::resolution(problem, scene).per_wavelength();
    if (!coarsest || per_wavelength < least)
      least = per_wavelength, coarsest.emplace(std::move(problem), std::move(scene));
    check_interrupt();
  }
  ie::check_resolution(coarsest->first, coarsest->second, is_refined_, run);
}

job::Plan SurfaceProblem::plan(run::Run& run) {
  const auto& frequencies = config_.frequencies;
  const auto first = system_at(frequencies.front());
  const ie::MirroredWaves mirrored(solved_, *first);
  state_equation(run);
  mirrored.state(run);
  ie::plan_solve(ie::SurfaceEquation(*first), solved_.solver,
                 ie::num_right_hand_sides(mirrored.solved_part(solved_)), run,
                 ie::expected_solutions(solved_), ie::held_at_once(solved_, mirrored, *first));
  job::plan_samples(config_.adaptive, frequencies.size(),
                    std::size_t(ie::num_right_hand_sides(solved_)) * std::size_t(first->num_unknowns()), run);
  drops_ = !config_.adaptive && ie::can_drop_currents(solved_, *first);
  plan_near_series(run);
  const job::Plan plan{.unknowns = long(first->num_unknowns())};
  if (is_refined_ && run.dry_run()) return plan;
  check_scenes(run);
  ie::warn_of_low_frequency(*first, run);
  ie::warn_of_resonances(*highest(), !config_.ports.empty(), run);
  return plan;
}

const ProcessGroup* SurfaceProblem::processes() const {
  return config_.solver.processes;
}

ie::SurfaceSolution SurfaceProblem::begin(double frequency) {
  auto s = ie::begin_surface(config_, frequency, system_at(frequency), ports_);
  ports_ = s.ports;
  return s;
}

ie::SurfaceSolution SurfaceProblem::solve(double frequency) {
  const auto known = known_.at.find(frequency);
  if (known != known_.at.end()) return take(frequency, known->second);
  auto s = begin(frequency);
  ie::SurfaceConfig at =
      solved_.at(frequency);  // media that are alike at one frequency may differ at another
  const ie::MirroredWaves mirrored(at, s.system);
  if (at.automatic_preconditioner)
    at.solver.preconditioner = ie::choose_preconditioner(s.system, run_.device(),
                                                         ie::num_right_hand_sides(mirrored.solved_part(at)));
  ie::KeptGroups kept(*sweep_, at.number_of(frequency), at.largest_group(s.system.num_unknowns()),
                      processes());
  if (drops_) {
    s.results = ie::solve_in_groups(at, mirrored, s, kept, advice_for(s.system), run_);
    return s;
  }
  ie::set_right_hand_sides(mirrored.solved_part(at), s);
  ie::solve(ie::SurfaceEquation(s.system, ie::port_loads(s.system, at.ports),
                                near_series_ ? &*near_series_ : nullptr),
            at.solver, frequency, s.x, s.count, advice_for(s.system), run_, &kept);
  mirrored.expand(s);
  drive_ports(config_, s);
  return s;
}

/// The pass's solution counts as one of the run's.
ie::SurfaceSolution SurfaceProblem::take(double frequency, const ie::KnownColumns::Solved& known) {
  const auto columns = Index(known.columns.size() / std::size_t(system_at(frequency)->num_unknowns()));
  ie::state_solve(known.report, config_.solver, frequency, columns, "", run_);
  run_.results()["solutions_of_passes"] = ++taken_;
  return between(frequency, known.columns);
}

ie::SurfaceSolution SurfaceProblem::unsolved(double frequency) {
  auto s = begin(frequency);
  if (drops_)
    s.results = ie::unsolved_results(config_, config_.waves.size(),
                                     std::min(config_.waves.size(), results::ScatteringReport::most_rows));
  else
    ie::size_columns(config_, s);
  return s;
}

job::Arrays SurfaceProblem::arrays(ie::SurfaceSolution& s) const {
  if (s.results) return ie::arrays_of(*s.results);
  return {{"x", std::span(s.x)}, {"duals", std::span(s.duals)}, {"volts", std::span(s.volts)}};
}

ie::SurfaceSolution SurfaceProblem::between(double frequency, const std::vector<Complex>& columns) {
  auto s = begin(frequency);
  ie::take_columns(config_, columns, s);
  return s;
}

}  // namespace curlew::programs
