// SPDX-License-Identifier: BSD-3-Clause
// fem-solve: finite element solution of driven problems (S-parameters, fields) and of cavities (modes).

#include "programs/programs.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "fem/driven/driven_options.hpp"
#include "fem/output/solution_file.hpp"
#include "fem/output/system_file.hpp"
#include "fem/report/solver_report.hpp"
#include "io/frequency.hpp"
#include "job/refinement.hpp"
#include "linalg/direct/gpu_start.hpp"
#include "programs/fem/analyses.hpp"
#include "programs/fem/several_processes.hpp"
#include "run/run_app.hpp"

namespace {

using namespace curlew;

/// A system from a file.
void solve_system(const io::Config& config, run::Run& run) {
  auto options = fem::read_driven_options(config, run.device(), run.processes());
  config.check_unknown_keys();
  const fem::System system = fem::read_system(run.input());
  if (system.num_rhs == 0) throw InputError(run.input() + ": no right-hand side \"rhs\"");
  run.size("unknowns", system.a.num_rows);
  run.size("nonzeros", long(system.a.nnz()));
  // Assembled matrices are symmetric to rounding; others are general matrices.
  options.direct.symmetry =
      linalg::asymmetry(system.a) < 1e-13 ? linalg::Symmetry::symmetric : linalg::Symmetry::unsymmetric;
  options.right_hand_sides = system.num_rhs;
  linalg::SystemSolver solver(options, {system.block_offsets.begin(), system.block_offsets.end()});
  solver.analyse(system.a);
  fem::state_solver(solver.info(), run);
  if (run.dry_run()) return;
  std::vector<Complex> x(system.rhs.size());
  {
    const auto timer = run.stage("solve");
    solver.prepare(system.a);
    const auto report = solver.solve(system.rhs.data(), x.data(), system.num_rhs);
    fem::state_solve(report, run);
    run.line(fmt::format("{} unknowns, {} right-hand sides, {}, {} iterations, relative residual {:.1e}",
                         system.a.num_rows, system.num_rhs, report.method, report.iterations,
                         report.residual));
  }
  fem::write_solution_columns(run.output("solution.h5"), x, system.num_rhs, run.provenance());
}

}  // namespace

int curlew::programs::fem_solve(int argc, char** argv, const ProcessGroup* processes) {
  const run::AppInfo info{
      .name = "fem-solve",
      .summary = "Finite element solution: S-parameters and fields of driven problems, modes of cavities.",
      .example = "fem-solve configs/iris.toml --set mesh.parameters.gap=12",
      .other_inputs = {".h5"},
      .input_name = "CONFIG.toml|SYSTEM.h5",
      .processes = processes};
  return run::run_app(info, argc, argv, [](const io::Config& config, run::Run& run) {
    const auto starting = linalg::start_gpu_solver(run.device());
    if (!run.has_config()) return programs::serve_whole_matrices(run) ? void() : solve_system(config, run);
    const bool sound = io::has_sound(config);
    const auto type = config.table("analysis").choice_or("type", {"driven", "eigen", "ports"}, "driven");
    if (type == "ports" && (sound || !config.has("port")))
      config.table("analysis").error("type", "\"ports\" is for Maxwell problems with [[port]]");
    if (sound && config.has("port"))
      config.error("port",
                   "sound has no ports: a [[boundary]] of type \"neumann\" with a velocity drives it");
    if (config.has("refinement") && job::is_one_mesh(config))
      config.allow({"refinement"});
    else if (config.has("refinement") && sound && type == "eigen")
      config.error("refinement", "is not for modes of sound");
    const bool spreads = type == "driven" && !sound && !config.has("refinement");
    if (!spreads && programs::serve_whole_matrices(run)) return;
    if (type != "eigen") {
      config.table("analysis").allow({"modes", "target"});
      if (type == "ports") return programs::solve_ports(config, run);
      if (sound) return programs::solve_driven_acoustics(config, run);
      return config.has("excitation") && !config.has("port") ? programs::solve_open(config, run)
                                                             : programs::solve_driven(config, run);
    }
    config.allow({"frequency"});
    return sound ? programs::solve_acoustic_modes(config, run) : programs::solve_cavity_modes(config, run);
  });
}
