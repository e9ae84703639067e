// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/surface.hpp"

#include <fmt/format.h>

#include "base/device.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "ie/surface/choose_accuracy.hpp"
#include "ie/surface/interior_resonance.hpp"
#include "ie/surface/surface_equation.hpp"
#include "ie/surface/surface_preconditioner.hpp"
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

constexpr const char* advice =
    ": preconditioner = \"near\" or (small cells against the wavelength) \"loop_star\", or method = "
    "\"direct\"";

/// @param is_refined by [refinement], whose estimate has more to say
void check_resolution(const ie::System& system, double frequency, bool is_refined, run::Run& run) {
  const auto r = ie::resolution(system.problem(), system.scene());
  if (r.per_wavelength() < 6 && r.skin_depth < 0.5 * r.longest_edge)
    throw InputError(
        fmt::format("{:.6g} Hz: fields decay within {:.3g} m (the skin depth) inside a [[material]] whose "
                    "edges are up to "
                    "{:.3g} m long: state it as a [[boundary]] with type = \"impedance\" and its "
                    "conductivity, or make the "
                    "edges shorter than {:.3g} m",
                    frequency, r.skin_depth, r.longest_edge, 2 * r.skin_depth));
  results::state_resolution({frequency, r.longest_edge, 1 / r.per_wavelength()}, run);
  if (r.per_wavelength() < 6 && !is_refined)
    run.warn(fmt::format(
        "{:.6g} Hz: the longest edge, {:.4g} m, is {:.3g} of the shortest wavelength, {:.4g} m: 0.1 gives "
        "a few tenths of a dB, so make it {:.3g} m (mesh.size or wavelength_fraction)",
        frequency, r.longest_edge, 1 / r.per_wavelength(), r.wavelength, 0.1 * r.wavelength));
}

/// EFIE and MFIE of a closed conductor have false solutions at the resonances of its interior, which neither
/// their residual nor their balance of powers shows.
void warn_of_resonances(const ie::System& highest, run::Run& run) {
  const auto lowest = ie::lowest_interior_resonance(highest.problem(), highest.scene());
  const double f = highest.problem().frequency;
  if (!lowest || f < ie::resonance_margin * lowest->frequency) return;
  run.warn(fmt::format(
      "{:.6g} Hz: from about {:.3g} Hz on, the inside of the closed conductor \"{}\" has resonances, close "
      "to which equation = \"{}\" gives wrong currents and inexact far fields without any other sign: "
      "\"cfie\" has no resonances",
      f, lowest->frequency, lowest->surface,
      highest.problem().equation == ie::Equation::mfie ? "mfie" : "efie"));
}

/// What solves it, and coarser rules where near pairs do not fit the GPU.
void choose_rules(const ie::System& finest, SurfaceConfig& c, ie::Accuracy& accuracy) {
  choose_solver(finest, c);
  if (c.automatic_preconditioner)
    c.solver.preconditioner = ie::choose_preconditioner(finest, c.solver.device, num_right_hand_sides(c));
  const auto chosen = ie::choose_accuracy(finest, c.solver, device_info().free_memory);
  if (chosen.medium < finest.integrals(0).accuracy().medium)
    log::info("near pairs reach {:g} edges and not {:g}: more do not fit the GPU", chosen.medium,
              finest.integrals(0).accuracy().medium);
  accuracy = chosen;
}

/// All that is wrong with a config, before any work.
void check_config(const io::Config& config, const ie::System& first, const SurfaceConfig& c) {
  config.check_unknown_keys();
  if (!c.solver.direct && !c.automatic_preconditioner)
    ie::check_preconditioner(first, c.solver.preconditioner);
  for (const auto& port : c.ports) ie::find_port(first, port);
  check_dipoles(config, first);
}

/// Of a frequency whose currents nothing needs: solved, or found where an earlier run has kept it.
WaveResults waves_alone(const SurfaceConfig& c, const MirroredWaves& mirrored, const ie::System& system,
                        double frequency, const run::FrequencySweep& sweep, std::size_t number,
                        const KeptGroups& kept, SurfaceFiles& files, run::Run& run) {
  const auto timer = run.stage("fill and solve");
  if (const auto known = find_solution(sweep, number))
    if (auto results = results_in(*known, c.waves.size())) return std::move(*results);
  auto results = solve_in_groups(c, mirrored, system, frequency, kept, files, advice, run);
  const auto arrays = arrays_of(results);
  keep_solution(sweep, number, {arrays.begin(), arrays.end()});
  return results;
}

/// The frequencies of [frequency] on a mesh, with all files.
void solve_mesh(const mesh::Mesh& given, const io::Config& config, SurfaceConfig asked, run::Run& run) {
  const auto mesh = mesh::straighten(given);
  SurfaceErrors errors(results::read_accuracy(config), given, asked, run);
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
             double(c.frequencies.size()), held_at_once(c, mirrored, first));
  errors.decide(first);
  const bool drops = can_drop_currents(c, first) && !errors.are_wanted() && sensitivities.is_empty();
  const bool is_refined = config.has("refinement");
  if (is_refined && run.dry_run()) return;
  for (const double f : c.frequencies) {  // before any work; made again when their turn comes
    check_resolution(system_at(f), f, is_refined, run);
    check_interrupt();
  }
  warn_of_resonances(system_at(c.frequencies.back()), run);
  if (run.dry_run()) return;

  SurfaceFiles files(asked, first, run);
  run::FrequencySweep sweep(c.frequencies, run);
  sweep.each([&](std::size_t i, double) {
    const ie::System system = system_at(c.frequencies[i]);
    SurfaceSolution s{c.frequencies[i], system, {}, {}, {}, {}, 0};
    if (!c.dipoles.empty()) s.dipoles.emplace(system, c.dipoles);
    SurfaceConfig at = c;  // loads depend on the frequency
    if (i > 0) at.ports = read_surface_ports(config, c.frequencies[i]);
    // Media that are alike at one frequency may differ at another.
    const MirroredWaves pairs = i == 0 ? mirrored : MirroredWaves(at, system);
    const auto solved = pairs.solved_part(at);
    if (c.automatic_preconditioner)
      at.solver.preconditioner =
          ie::choose_preconditioner(s.system, run.device(), num_right_hand_sides(solved));
    KeptGroups kept(sweep, i, c.largest_group(system.num_unknowns()));
    if (drops) {
      const auto results = waves_alone(at, pairs, system, s.frequency, sweep, i, kept, files, run);
      const InterruptHold hold;
      const auto timer = run.stage(run::results_stage);
      return files.write_waves(at, system, s.frequency, results);
    }
    set_right_hand_sides(solved, s);
    {
      const auto timer = run.stage("fill and solve");
      if (auto known = find_solution(sweep, i); known && known->contains("x")) {
        s.x = std::move((*known)["x"]);
      } else {
        solve(ie::SurfaceEquation(system, ie::port_loads(system, at.ports)), at.solver, s.frequency, s.x,
              s.count, advice, run, &kept);
        keep_solution(sweep, i, {{"x", s.x}});
      }
      pairs.expand(s);
    }
    at.waves = asked.waves;
    sensitivities.add(at, s);
    drive_ports(at, s);
    errors.add(at, s);
    const InterruptHold hold;
    const auto timer = run.stage(run::results_stage);
    files.write(at, s, c.frequencies.size() == 1 ? "" : fmt::format("_{}", i + 1));
  });
  files.close();
  sensitivities.close();
  errors.close();
}

}  // namespace

void solve_surface_equation(const io::Config& config, run::Run& run) {
  const SurfaceConfig c = read_surface_config(config, run);
  const auto refinement = read_surface_refinement(config, c);
  auto given = run::load_mesh(config, run, mesh::MeshUse::surfaces);
  state_first_mesh(refinement, run);
  if (refinement && !run.dry_run()) {
    const ie::System first(SurfaceProblems(c.surfaces, mesh::straighten(given)).at(c.frequencies.front()));
    results::read_accuracy(config);
    check_config(config, first, c);
    given = refine_surfaces(*refinement, config, c, std::move(given), run);
  }
  solve_mesh(given, config, c, run);
  if (refinement) forget_refinement(run);
}

}  // namespace curlew::programs
