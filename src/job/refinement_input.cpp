// SPDX-License-Identifier: BSD-3-Clause
// [refinement] of a config, and whether there are adaptive passes without it.
#include <fmt/format.h>

#include <algorithm>

#include "io/frequency.hpp"
#include "job/refinement.hpp"
#include "run/mesh_input.hpp"
#include "run/run_state.hpp"

namespace curlew::job {
namespace {

mesh::Target target_of(const std::string& word) {
  return word == "rcs"         ? mesh::Target::rcs
         : word == "gain"      ? mesh::Target::gain
         : word == "impedance" ? mesh::Target::impedance
         : word == "frequency" ? mesh::Target::frequency
         : word == "pressure"  ? mesh::Target::pressure
                               : mesh::Target::scattering;
}

/// Of |S|, of impedances; 1e-3 of frequencies, 0.1 dB of gains, 0.2 dB of cross-sections and pressures.
double default_tolerance(mesh::Target target) {
  return target == mesh::Target::frequency                                  ? 1e-3
         : target == mesh::Target::gain || target == mesh::Target::pressure ? 0.023
         : target == mesh::Target::rcs                                      ? 0.047
                                                                            : 0.02;
}

bool has_waves(const io::Config& config) {
  const auto excitations = config.tables("excitation");
  return std::any_of(excitations.begin(), excitations.end(), [](const io::Config& t) {
    return !t.has("type") || t.get<std::string>("type") == "plane_wave";
  });
}

mesh::Target read_target(const io::Config& config, RefinedProblem problem) {
  const io::Config table = config.table("refinement");
  switch (problem) {
    case RefinedProblem::truncated:
    case RefinedProblem::surfaces:
    case RefinedProblem::volumes:
    case RefinedProblem::films:
      return target_of(table.choice_or("target", {"S", "impedance", "rcs", "gain"},
                                       config.has("port")  ? "S"
                                       : has_waves(config) ? "rcs"
                                                           : "gain"));
    case RefinedProblem::open: {
      const bool waves = has_waves(config);
      const auto word = table.choice_or("target", {"rcs", "gain"}, waves ? "rcs" : "gain");
      table.require(word == "gain" || waves, "target",
                    "\"rcs\" is for plane waves: for dipoles take \"gain\"");
      return target_of(word);
    }
    case RefinedProblem::sound:
      return target_of(table.choice_or("target", {"pressure"}, "pressure"));
    case RefinedProblem::contours:
      return target_of(table.choice_or("target", {"rcs"}, "rcs"));
    case RefinedProblem::driven:
    case RefinedProblem::modes:
    case RefinedProblem::sound_modes:
      break;
  }
  const bool are_modes = problem == RefinedProblem::modes || problem == RefinedProblem::sound_modes;
  const auto word = table.choice_or("target", {"S", "impedance", "frequency"}, are_modes ? "frequency" : "S");
  table.require((word == "frequency") == are_modes, "target",
                are_modes ? "modes have target = \"frequency\""
                          : "target = \"frequency\" is for [analysis] type = \"eigen\": take \"S\" or "
                            "\"impedance\"");
  return target_of(word);
}

double lowest_above_zero(const io::Config& config) {
  for (const double f : io::frequencies(config, io::Lowest::zero))
    if (f > 0) return f;
  return 0;
}

/// Default [refinement] of contours: dense systems, whose unknowns double with every pass.
Refinement of_contours() {
  Refinement refinement;
  refinement.sizes = "cells";
  refinement.least_growth = 2, refinement.bytes_power = 2, refinement.seconds_power = 3;
  return refinement;
}

bool are_triangles(RefinedProblem problem) {
  return problem == RefinedProblem::surfaces || problem == RefinedProblem::films;
}

/// Reads the table, which may be empty.
Refinement read_table(const io::Config& config, RefinedProblem problem) {
  const io::Config table = config.table("refinement");
  const bool are_modes = problem == RefinedProblem::modes, are_contours = problem == RefinedProblem::contours,
             is_sound = problem == RefinedProblem::sound || problem == RefinedProblem::sound_modes;
  Refinement refinement = are_contours ? of_contours() : Refinement();
  if (are_triangles(problem)) refinement.use = mesh::MeshUse::surfaces;
  refinement.target = read_target(config, problem);
  refinement.tolerance =
      table.has("tolerance") ? table.positive("tolerance") : default_tolerance(refinement.target);
  table.require(refinement.tolerance < 1, "tolerance", "tolerance must be less than 1");
  refinement.strict = config.has("refinement") && config.table("accuracy").get_or("strict", false);
  if (!are_triangles(problem) && problem != RefinedProblem::volumes && !are_contours) {
    refinement.max_order = table.integer_in_or("max_order", 2, 3, are_modes ? 3 : refinement.max_order);
    const bool one_order = problem == RefinedProblem::open || is_sound;
    table.require(refinement.max_order == 2 || !one_order, "max_order",
                  "max_order has no effect with waves, dipoles and sound: leave it out");
    const bool of_ports =
        refinement.target == mesh::Target::scattering || refinement.target == mesh::Target::impedance;
    refinement.looks_at_gains =
        of_ports && !table.has("target") && refinement.tolerance >= default_tolerance(refinement.target);
    const bool by_default = (of_ports || are_modes) && !config.has("periodic");
    refinement.edge_layers = table.integer_in_or("edge_layers", 0, 4, by_default ? 1 : 0);
    if (of_ports && by_default && !table.has("edge_layers"))
      refinement.layers_resolve = lowest_above_zero(config);
    table.require(refinement.edge_layers == 0 || !is_sound, "edge_layers",
                  "edge_layers has no effect on sound: leave it out");
    table.require(refinement.edge_layers == 0 || !config.has("periodic"), "edge_layers",
                  "cells between [[periodic]] faces get no layers: leave edge_layers out");
  }
  refinement.max_passes = table.integer_in_or("max_passes", 1, 100, refinement.max_passes);
  refinement.max_unknowns =
      table.integer_in_or("max_unknowns", 1000, 2'000'000'000, int(refinement.max_unknowns));
  if (table.has("time_limit")) refinement.time_limit = table.positive("time_limit");
  const bool has_band = refinement.target != mesh::Target::frequency;
  refinement.states_frequencies = table.has("frequencies") && has_band;
  if (refinement.states_frequencies)
    refinement.frequencies = io::frequency_list(table, "frequencies");
  else if (has_band && !are_contours)
    refinement.frequencies = {io::frequencies(config, io::Lowest::zero).back()};
  return refinement;
}

/// Whether any contour sets its cells.
bool has_stated_cells(const io::Config& config) {
  const auto contours = config.tables("contour");
  return std::any_of(contours.begin(), contours.end(), [](const io::Config& t) { return t.has("cells"); });
}

}  // namespace

std::optional<Refinement> read_refinement(const io::Config& config, RefinedProblem problem) {
  if (!config.has("refinement")) return std::nullopt;
  Refinement refinement = read_table(config, problem);
  if (refinement.max_passes == 1) return std::nullopt;
  if (!are_triangles(problem) && problem != RefinedProblem::contours && !run::is_geometry(config))
    config.table("mesh").error("file", "[refinement] needs a geometry (.geo, .step, .brep) to mesh again");
  if (config.has("periodic") && problem != RefinedProblem::driven)
    config.error("refinement",
                 "with [[periodic]] faces meshes are refined only for S of ports, in fem-solve");
  return refinement;
}

std::nullopt_t state_one_mesh(const std::string& why, run::Run& run, const char* sizes) {
  run.line(fmt::format("no mesh size is given, and the mesh is not refined: {} (give {} or [refinement])",
                       why, sizes));
  return std::nullopt;
}

void settle(std::optional<Refinement>& refinement, const std::string& why, const io::Config& config,
            run::Run& run) {
  if (!refinement || why.empty()) return;
  if (!refinement->is_by_default) config.error("refinement", why);
  refinement = state_one_mesh(why, run, refinement->sizes);
}

std::optional<Refinement> read_refinement_or_default(const io::Config& config, RefinedProblem problem,
                                                     run::Run& run) {
  if (config.has("refinement")) return read_refinement(config, problem);
  if (problem == RefinedProblem::contours ? has_stated_cells(config) : run::has_stated_size(config))
    return std::nullopt;
  const run::Options& o = *run.state().options;
  const bool are_shares = o.share || o.join || (o.jobs > 1 && run.device() == Device::cuda);
  if (are_shares || run.processes() != nullptr)
    return state_one_mesh("under mpirun meshes are refined only with [refinement]", run,
                          problem == RefinedProblem::contours ? of_contours().sizes : Refinement().sizes);
  if (config.has("periodic") && problem != RefinedProblem::driven)
    return state_one_mesh("adaptive passes are not for bands of [[periodic]] cells", run);
  Refinement refinement = read_table(config, problem);
  refinement.is_by_default = true;
  if (!refinement.frequencies.empty() && !(refinement.frequencies.back() > 0)) return std::nullopt;
  return refinement;
}

std::vector<double> looked_at(const Refinement& refinement, const std::vector<double>& all) {
  constexpr std::size_t most = 5;
  if (refinement.states_frequencies) return refinement.frequencies;
  if (all.size() <= most) return all;
  std::vector<double> some;
  for (std::size_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / (most - 1)]);
  return some;
}

bool is_one_mesh(const io::Config& config) {
  const io::Config table = config.table("refinement");
  return table.keys() == std::vector<std::string>{"max_passes"} &&
         table.integer_in_or("max_passes", 1, 100, 12) == 1;
}

}  // namespace curlew::job
