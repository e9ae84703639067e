// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/equations.hpp"

#include "ie/passes/surface_passes.hpp"
#include "mesh/straighten.hpp"
#include "programs/ie/surface_errors.hpp"
#include "programs/ie/surface_output.hpp"
#include "programs/ie/surface_sensitivities.hpp"
#include "run/mesh_input.hpp"

namespace curlew::programs {

void solve_surface_equation(const io::Config& config, run::Run& run) {
  ie::SurfaceConfig c = ie::read_surface_config(config, run);
  const auto refinement = ie::read_surface_refinement(config, c, run);
  ie::RefinedSurfaces refined{run::load_mesh(config, run, mesh::MeshUse::surfaces)};
  ie::check_joined(ie::SurfaceProblems(c.surfaces, mesh::straighten(refined.mesh)).mesh());
  if (job::begins_passes(refinement, run)) {
    SurfaceProblem(config, mesh::straighten(refined.mesh), c, true, run);  // for what it checks
    refined = ie::refine_surfaces(*refinement, config, c, std::move(refined.mesh), run);
  }
  if (config.has("sensitivity")) c.duals = duals_of(c);
  SurfaceProblem problem(config, mesh::straighten(refined.mesh), std::move(c), refinement.has_value(), run);
  problem.take(std::move(refined.solved));
  job::Sinks<ie::SurfaceSolution> sinks;
  sinks.push_back(std::make_unique<SurfaceFiles>(problem, run));
  if (config.has("sensitivity"))
    sinks.push_back(std::make_unique<SurfaceSensitivities>(config, refined.mesh, problem, run));
  const bool are_to_come = refinement && run.dry_run();
  sinks.push_back(std::make_unique<SurfaceErrors>(refined.mesh, problem, refined.bars, are_to_come, run));
  const auto& of = problem.config();
  if (of.adaptive)
    job::run_adaptively(problem, sinks, of.frequencies, *of.adaptive, run);
  else
    job::run(problem, sinks, of.frequencies, run);
}

}  // namespace curlew::programs
