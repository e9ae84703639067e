// SPDX-License-Identifier: BSD-3-Clause
#include "fem/report/solver_report.hpp"

#include "base/bytes.hpp"
#include "base/log.hpp"
#include "job/adaptive.hpp"

namespace curlew::fem {

void state_solve(const linalg::SystemReport& report, run::Run& run) {
  run.solver(report.method, report.iterations, report.residual);
  if (report.backward_error > 0) {
    run.solver_fact("backward_error", report.backward_error);
    log::info("{}: relative residual {:.1e} is as small as rounding allows (backward error {:.1e})",
              report.method, report.residual, report.backward_error);
  }
  if (report.history.empty()) return;
  log::info("{}: {} iterations, true relative residual {:.2e}", report.method, report.iterations,
            report.residual);
  run.solver_fact("history", report.history);
}

void state_stages(const Stages& stages, run::Run& run) {
  run::state_solver_stages(stages, run);
}

void state_sizes(const NedelecSpace& space, Offset nnz, run::Run& run) {
  run.size("unknowns", space.num_dofs());
  run.size("nonzeros", long(nnz));
  log::info("{} cells, order {}, {} unknowns, {} nonzeros", space.mesh->num_cells(), space.order,
            space.num_dofs(), nnz);
  run.plan("matrix", std::size_t(nnz) * (sizeof(Complex) + sizeof(Index)));
}

bool is_on_device(const linalg::SystemInfo& info) {
  return info.library.starts_with("cuDSS");
}

void state_solver(const linalg::SystemInfo& info, run::Run& run) {
  run.solver_fact("library", info.library);
  if (!info.choice.empty()) {
    run.solver_fact("choice", info.choice);
    log::info("solver: {}", info.choice);
  }
  if (info.ordering.empty()) {
    if (info.estimated_bytes > 0) run.plan("iterative solver", info.estimated_bytes);
    return;
  }
  run.solver_fact("ordering", info.ordering);
  run.solver_fact("estimated_bytes", info.estimated_bytes);
  log::info("{} estimates {:.2f} GiB for the factorisation ({} ordering)", info.library,
            gib(info.estimated_bytes), info.ordering);
  if (is_on_device(info))
    run.plan_device("factorisation", info.estimated_bytes);
  else
    run.plan("factorisation", info.estimated_bytes);
}

job::Plan plan_system(MaxwellSystem& system, std::size_t columns, run::Run& run) {
  const Offset unknowns = system.space().num_dofs();
  state_sizes(system.space(), system.nnz(), run);
  {
    const auto timer = run.stage("analysis");
    system.analyse();
  }
  state_solver(system.solver_info(), run);
  return {unknowns, sizeof(Complex) * std::size_t(unknowns) * columns};
}

void state_sweep(const FastSweepResult& result, run::Run& run) {
  job::state_sweep(result.solved.size(), result.solutions.size(), result.error_estimate, run);
}

}  // namespace curlew::fem
