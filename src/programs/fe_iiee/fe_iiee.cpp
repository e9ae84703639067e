// SPDX-License-Identifier: BSD-3-Clause
// fe-iiee: radiation and scattering by finite elements, truncated close to the body by the iteration with its
// own radiated field.

#include "programs/programs.hpp"

#include "fem/driven/low_frequency.hpp"
#include "fem/report/resolution.hpp"
#include "linalg/direct/gpu_start.hpp"
#include "programs/fe_iiee/job.hpp"
#include "programs/fem/several_processes.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;
using namespace curlew::fe_iiee;

void check_rounding(const TruncatedCase& c) {
  fem::ChargeRounding(c.mesh, c.model).require(c.model, c.sweep.frequencies.front(), "[truncation]");
}

void solve_case(const TruncatedCase& c, const io::Config& config, run::Run& run) {
  const auto& frequencies = c.sweep.frequencies;
  fem::check_resolution(c.mesh, c.model, frequencies.back(), run);
  fem::check_facets(c.mesh, c.topology, c.model, run);
  check_rounding(c);
  if (c.splits() && programs::serve_whole_matrices(run)) return;
  if (TruncatedJob::serve(c)) return;
  TruncatedJob problem(c, run);
  const auto sinks = truncated_sinks(problem, read_parameters(config, problem, run), run);
  if (c.sweep.fast)
    job::run_by(problem, sinks, run, [&](auto& delivery) { problem.sweep_adaptively(delivery); });
  else
    job::run(problem, sinks, c.sweep.all(), run);
}

void solve(const io::Config& config, run::Run& run) {
  const auto starting = linalg::start_gpu_solver(run.device());
  auto refinement = job::read_refinement_or_default(config, job::RefinedProblem::truncated, run);
  const auto surround = truncation::surround_arguments(config);
  if (refinement) refinement->surround = surround;
  if (refinement && programs::serve_whole_matrices(run)) return;
  mesh::Mesh mesh = programs::load_shared_mesh(config, run, surround);
  const auto read = [&](const mesh::Mesh& of) { return read_case(of, config, run); };
  if (refinement) {
    const TruncatedCase first = read(mesh);
    job::settle(refinement, obstacle_to_passes(first), config, run);
    if (refinement) require_target(*refinement, first, config);
    if (refinement) check_rounding(first);  // finer meshes resolve less
    if (job::begins_passes(refinement, run))
      mesh = refine_truncated(*refinement, config, std::move(mesh), read, run);
  }
  TruncatedCase c = read_case(std::move(mesh), config, run);
  if (config.has("sensitivity")) add_dual_waves(c);
  solve_case(c, config, run);
}

}  // namespace

int curlew::programs::fe_iiee(int argc, char** argv, const ProcessGroup* processes) {
  return run::run_app({.name = "fe-iiee",
                       .summary = "Radiation and scattering by finite elements whose mesh ends close to the "
                                  "body, by iteration with the radiated field.",
                       .example = "fe-iiee configs/sphere_in_air.toml --set truncation.tolerance=1e-5",
                       .processes = processes},
                      argc, argv, solve);
}
