// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/device.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "ie/operator/process_group.hpp"
#include "ie/surface/choose_accuracy.hpp"
#include "ie/surface/choose_equation.hpp"
#include "ie/surface/interior_resonance.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"
#include "job/adaptive.hpp"
#include "mesh/box_tree.hpp"
#include "mesh/straighten.hpp"
#include "programs/ie/surface_errors.hpp"
#include "programs/ie/surface_groups.hpp"
#include "programs/ie/surface_passes.hpp"
#include "programs/ie/surface_sensitivities.hpp"
#include "programs/ie/surface_solve.hpp"
#include "results/mesh_resolution.hpp"
#include "run/frequency_sweep.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {
namespace {

bool has_dielectrics(const ie::Problem& p) {
  return std::any_of(p.surfaces.begin(), p.surfaces.end(),
                     [](const ie::Surface& s) { return s.boundary == ie::Boundary::dielectric; });
}

/// Advice for iterations that do not converge.
std::string advice_for(const ie::System& system) {
  const char* small_cells =
      has_dielectrics(system.problem()) ? "" : " or (small cells against the wavelength) \"loop_star\"";
  return fmt::format(": method = \"direct\" where memory allows, or preconditioner = \"near\"{}",
                     small_cells);
}

/// @param is_refined by [refinement], whose estimate is better
void check_resolution(const ie::System& system, double frequency, bool is_refined, run::Run& run) {
  const auto r = ie::resolution(system.problem(), system.scene());
  if (r.per_wavelength() < 6 && r.skin_depth < 0.5 * r.longest_edge)
    throw InputError(
        fmt::format("{:.6g} Hz: fields decay within {:.3g} m (the skin depth) inside a [[material]] whose "
                    "edges are up to "
                    "{:.3g} m long: replace it by a [[boundary]] with type = \"impedance\" and its "
                    "conductivity, or make the "
                    "edges shorter than {:.3g} m",
                    frequency, r.skin_depth, r.longest_edge, 2 * r.skin_depth));
  results::state_resolution({frequency, r.longest_edge, 1 / r.per_wavelength()}, run);
  if (r.per_wavelength() < 6 && !is_refined)
    run.warn(
        fmt::format("{:.6g} Hz: the longest edge, {:.4g} m, is {:.3g} of the shortest wavelength, {:.4g} m: "
                    "0.1 gives errors of a few tenths of a dB: make it {:.3g} m ({})",
                    frequency, r.longest_edge, 1 / r.per_wavelength(), r.wavelength, 0.1 * r.wavelength,
                    run::source_of_sizes(run)));
}

/// EFIE and MFIE of a closed conductor have false solutions at the resonances of its interior, which neither
/// their residual nor their balance of powers shows.
void warn_of_resonances(const ie::System& highest, bool has_ports, run::Run& run) {
  const auto lowest = ie::lowest_interior_resonance(highest.problem(), highest.scene());
  const double f = highest.problem().frequency;
  if (!lowest || f < ie::resonance_margin * lowest->frequency) return;
  const auto obstacle = ie::obstacle_to_cfie(highest.problem(), highest.scene(), has_ports);
  run.warn(fmt::format(
      "{:.6g} Hz: from about {:.3g} Hz on, the inside of the closed conductor \"{}\" can have resonances, "
      "close to which equation = \"{}\" gives wrong currents and far fields without any other warning: {}",
      f, lowest->frequency, lowest->surface,
      highest.problem().equation == ie::Equation::mfie ? "mfie" : "efie",
      obstacle.empty() ? "\"cfie\" has no resonances"
                       : fmt::format("no other equation is possible ({}), so compare results at frequencies "
                                     "1 % above and below, or with fe-iiee, which has no interior resonances",
                                     obstacle)));
}

/// The equations of dielectrics lose accuracy with the square of the frequency, in matrix and solution, with
/// any solver: a body of 0.9 m has an error of 5 % at 10 kHz.
void warn_of_low_frequency(const ie::System& lowest, run::Run& run) {
  constexpr double least = 1e-3;  // k times the size
  const auto& p = lowest.problem();
  if (!has_dielectrics(p)) return;
  const double size = norm(mesh::Bounds::around(p.mesh.nodes).size());
  const double k = lowest.scene().regions[0].k.real();
  if (k * size >= least) return;
  run.warn(
      fmt::format("{:.6g} Hz: the size of the bodies is {:.2g} m, k times that {:.1e}: below {:.0e} the "
                  "surface equations of dielectrics lose accuracy with the square of the frequency, and "
                  "neither a finer mesh nor a smaller solver.tolerance helps: take equation = \"volume\", or "
                  "solve at {:.3g} Hz and scale cross-sections with f^4",
                  p.frequency, size, k * size, least, p.frequency * 10 * least / (k * size)));
}

/// Chooses the solver, and coarser rules if near pairs do not fit into the GPU's memory.
void choose_rules(const ie::System& finest, SurfaceConfig& c, ie::Accuracy& accuracy) {
  choose_solver(finest, c);
  if (c.automatic_preconditioner)
    c.solver.preconditioner = ie::choose_preconditioner(finest, c.solver.device, num_right_hand_sides(c));
  const auto chosen = ie::choose_accuracy(finest, c.solver, device_info().free_memory);
  if (chosen.medium < finest.integrals(0).accuracy().medium)
    log::info("near pairs extend over {:g} edges instead of {:g}: more do not fit on the GPU", chosen.medium,
              finest.integrals(0).accuracy().medium);
  accuracy = chosen;
}

/// Checks the config before any work.
void check_config(const io::Config& config, const ie::System& first, const SurfaceConfig& c) {
  config.check_unknown_keys();
  if (!c.solver.direct && !c.automatic_preconditioner)
    ie::check_preconditioner(first, c.solver.preconditioner);
  for (const auto& port : c.ports) ie::find_port(first, port);
  check_dipoles(config, first);
}

/// Results of a frequency whose currents are not needed: solved, or read from an earlier run.
WaveResults waves_alone(const SurfaceConfig& c, const MirroredWaves& mirrored, const ie::System& system,
                        double frequency, const run::FrequencySweep& sweep, std::size_t number,
                        const KeptGroups& kept, SurfaceFiles& files, run::Run& run) {
  const auto timer = run.stage("fill and solve");
  if (const auto known = find_solution(sweep, number))
    if (auto results = results_in(*known, c.waves.size())) return std::move(*results);
  auto results = solve_in_groups(c, mirrored, system, frequency, kept, files, advice_for(system), run);
  const auto arrays = arrays_of(results);
  keep_solution(sweep, number, {arrays.begin(), arrays.end()});
  return results;
}

/// Data of one frequency.
struct AtFrequency {
  SurfaceConfig config;
  MirroredWaves pairs;
};

/// A requested adaptive sweep must be possible; a default one must also save time.
void decide_adaptive(const io::Config& config, const ie::System& system, SurfaceConfig& c) {
  if (!c.adaptive) return;
  const bool is_met = can_sample(c);
  if (c.adaptive->is_stated)
    config.table("frequency")
        .require(is_met, "adaptive_tolerance",
                 "adaptive_tolerance must be at least 10 times solver.tolerance: what iterations leave is "
                 "noise between the frequencies");
  else if (!is_met || can_drop_currents(c, system) || ie::process_group() != nullptr)
    c.adaptive.reset();
  const bool names_files = config.has("output") && config.table("output").has("frequencies");
  if (c.adaptive && !names_files && c.near_fields.empty())
    c.written = {c.frequencies.front(), c.frequencies[c.frequencies.size() / 2], c.frequencies.back()};
}

/// Number of solutions; a typical one for an adaptive sweep.
double expected_solutions(const SurfaceConfig& c) {
  constexpr double adaptive = 10;
  const auto all = double(c.frequencies.size());
  return c.adaptive ? std::min(adaptive, all) : all;
}

/// Full solutions that an adaptive sweep keeps for the others.
void plan_solutions(const SurfaceConfig& c, const ie::System& system, run::Run& run) {
  if (!c.adaptive) return;
  const auto most = std::min(c.frequencies.size(), std::size_t(c.adaptive->max_solutions));
  run.plan("solutions of the adaptive sweep", sizeof(Complex) * most * std::size_t(num_right_hand_sides(c)) *
                                                  std::size_t(system.num_unknowns()));
}

/// The frequencies of [frequency] on a mesh, with all files.
/// @param is_refined there were adaptive passes, or would be without dry run
void solve_mesh(const RefinedSurfaces& refined, bool is_refined, const io::Config& config,
                SurfaceConfig asked, run::Run& run) {
  const mesh::Mesh& given = refined.mesh;
  const auto mesh = mesh::straighten(given);
  SurfaceErrors errors(results::read_accuracy(config), given, asked, refined.bars, run,
                       [&](double frequency) {
                         SurfaceConfig at = asked;
                         at.ports = read_surface_ports(config, frequency);  // loads depend on it
                         return at;
                       });
  const auto duals = config.has("sensitivity") ? duals_of(asked) : DualWaves();
  SurfaceConfig c = with_duals(asked, duals);
  ie::Accuracy accuracy;
  const SurfaceProblems problems(asked.surfaces, mesh);
  const auto system_at = [&](double frequency) { return ie::System(problems.at(frequency), accuracy); };
  const MirroredWaves mirrored = [&] {
    const ie::System finest = system_at(c.frequencies.front());
    MirroredWaves pairs(c, finest);
    auto solved = pairs.solved_part(c);
    choose_rules(finest, solved, accuracy);
    c.solver = solved.solver;
    return pairs;
  }();
  asked.solver = c.solver;
  const ie::System first = system_at(c.frequencies.front());
  decide_adaptive(config, first, c);
  asked.adaptive = c.adaptive;
  check_config(config, first, c);
  SurfaceSensitivities sensitivities(config, given, asked, duals, run);
  if (const auto& chosen = problems.chosen()) {
    const std::string name = chosen->equation == ie::Equation::efie         ? "efie"
                             : chosen->testing == ie::MagneticTesting::dual ? "cfie, testing = \"dual\""
                                                                            : "cfie";
    log::info("equation: {}, because {}", name, chosen->reason);
    run.results()["equation"] = name, run.results()["equation_reason"] = chosen->reason;
  }
  mirrored.state(run);
  plan_solve(ie::SurfaceEquation(first), c.solver, num_right_hand_sides(mirrored.solved_part(c)), run,
             expected_solutions(c), held_at_once(c, mirrored, first));
  errors.decide(first);
  plan_solutions(c, first, run);
  const bool drops =
      !c.adaptive && can_drop_currents(c, first) && !errors.are_wanted() && sensitivities.is_empty();
  if (is_refined && run.dry_run()) return;
  for (const double f : c.frequencies) {  // checked before any work; made again when solved
    check_resolution(system_at(f), f, is_refined, run);
    check_interrupt();
  }
  warn_of_low_frequency(system_at(c.frequencies.front()), run);
  warn_of_resonances(system_at(c.frequencies.back()), !c.ports.empty(), run);
  if (run.dry_run()) return;

  SurfaceFiles files(asked, first, run);
  run::FrequencySweep sweep(c.frequencies, run);
  // Loads depend on the frequency, and media that are alike at one frequency may differ at another.
  const auto config_at = [&](std::size_t i, const ie::System& system) {
    AtFrequency at{c, mirrored};
    if (i > 0) at.config.ports = read_surface_ports(config, c.frequencies[i]);
    if (i > 0) at.pairs = MirroredWaves(at.config, system);
    if (c.automatic_preconditioner)
      at.config.solver.preconditioner = ie::choose_preconditioner(
          system, run.device(), num_right_hand_sides(at.pairs.solved_part(at.config)));
    return at;
  };
  const auto solve_at = [&](std::size_t i, const AtFrequency& at, SurfaceSolution& s) {
    KeptGroups kept(sweep, i, c.largest_group(s.system.num_unknowns()));
    set_right_hand_sides(at.pairs.solved_part(at.config), s);
    const auto timer = run.stage("fill and solve");
    if (auto known = find_solution(sweep, i); known && known->contains("x")) {
      s.x = std::move((*known)["x"]);
    } else {
      solve(ie::SurfaceEquation(s.system, ie::port_loads(s.system, at.config.ports)), at.config.solver,
            s.frequency, s.x, s.count, advice_for(s.system), run, &kept);
      keep_solution(sweep, i, {{"x", s.x}});
    }
    at.pairs.expand(s);
  };
  std::vector<ie::PortWeights> ports;  // of the last full solution
  const auto sampled = [&](std::size_t i) {
    check_interrupt();
    const ie::System system = system_at(c.frequencies[i]);
    SurfaceSolution s = begin_solution(c, c.frequencies[i], system);
    solve_at(i, config_at(i, system), s);
    ports = s.ports;
    return sampled_columns(std::move(s));
  };
  linalg::SampledSolutions between(c.frequencies, sampled, [&](const Eigen::MatrixXcd& currents) {
    return ports.empty() ? Eigen::MatrixXcd()
                         : ie::network_of(ports, currents, c.reference_impedance).scattering;
  });
  if (c.adaptive) job::sample(between, *c.adaptive, c.frequencies.size(), run), sweep.one_after_another();
  sweep.carry(errors.report());
  sweep.each([&](std::size_t i, double) {
    const ie::System system = system_at(c.frequencies[i]);
    SurfaceSolution s = begin_solution(c, c.frequencies[i], system);
    AtFrequency at = config_at(i, system);
    if (drops) {
      KeptGroups kept(sweep, i, c.largest_group(system.num_unknowns()));
      const auto results = waves_alone(at.config, at.pairs, system, s.frequency, sweep, i, kept, files, run);
      sweep.finish_solution(i);
      const InterruptHold hold;
      const auto timer = run.stage(run::results_stage);
      return files.write_waves(at.config, system, s.frequency, results);
    }
    if (c.adaptive && between.knows(i)) {
      set_ports(at.config, s);
      s.x = between.at(i);
      s.count = num_right_hand_sides(c);
    } else {
      solve_at(i, at, s);
    }
    at.config.waves = asked.waves;
    const auto by_volts = sensitivities.is_empty() ? std::vector<Complex>() : s.x;
    drop_duals(asked, duals, s);
    drive_ports(at.config, s);
    sweep.finish_solution(i, [&] { errors.add(at.config, s); });
    sensitivities.add(at.config, s, by_volts);
    const InterruptHold hold;
    const auto timer = run.stage(run::results_stage);
    files.write(at.config, s, c.solution_file(i));
  });
  files.close();
  sensitivities.close();
  errors.close();
}

}  // namespace

void solve_surface_equation(const io::Config& config, run::Run& run) {
  const SurfaceConfig c = read_surface_config(config, run);
  const auto refinement = read_surface_refinement(config, c, run);
  RefinedSurfaces refined{run::load_mesh(config, run, mesh::MeshUse::surfaces)};
  ie::check_joined(SurfaceProblems(c.surfaces, mesh::straighten(refined.mesh)).mesh());
  state_first_mesh(refinement, run);
  if (refinement && !run.dry_run()) {
    const ie::System first(
        SurfaceProblems(c.surfaces, mesh::straighten(refined.mesh)).at(c.frequencies.front()));
    results::read_accuracy(config);
    check_config(config, first, c);
    refined = refine_surfaces(*refinement, config, c, std::move(refined.mesh), run);
  }
  solve_mesh(refined, refinement.has_value(), config, c, run);
}

}  // namespace curlew::programs
