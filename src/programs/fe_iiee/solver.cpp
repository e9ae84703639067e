// SPDX-License-Identifier: BSD-3-Clause
#include "programs/fe_iiee/solver.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "io/csv.hpp"
#include "programs/fem/solver_report.hpp"
#include "truncation/symmetric_parts.hpp"

namespace curlew::fe_iiee {
namespace {

/// How far the two surfaces of one solution agree: it judges the iteration and the load on S. It is no error:
/// both fields share the mesh, the order and the shape of the body.
run::Value state_consistency(const Setup& setup, const TruncatedProblem& problem,
                             const TruncationResult& result, double frequency, run::Run& run) {
  const auto outside = problem.exterior(frequency);
  const auto inner = fields::far_field(problem.inner_points(), result.inner, setup.far_field.directions,
                                       outside, run.device());
  const auto outer = fields::far_field(problem.outer_points(), result.outer, setup.far_field.directions,
                                       outside, run.device());
  const double difference = truncation::mismatch(inner, outer);
  run.line(fmt::format(
      "{:.6g} GHz: {} iterations, residual {:.1e}; truncation consistency {:.1e} (far fields of S' against S "
      "of this solution; not an error)",
      1e-9 * frequency, result.iteration.iterations, result.iteration.true_residual, difference));
  return {{"frequency_hz", frequency},
          {"iterations", result.iteration.iterations},
          {"converged", result.iteration.converged},
          {"true_residual", result.iteration.true_residual},
          {"truncation_consistency", difference}};
}

/// S at a frequency. In a symmetric model 1 W refers to the whole structure.
fem::DrivenSolution port_solution(const TruncatedProblem& problem, const TruncationResult& result) {
  return problem.system().port_solution(result.x.data(),
                                        std::ldexp(1.0, -int(problem.surfaces().planes.size())));
}

}  // namespace

Checkpoints::Checkpoints(run::Run& run)
    : run_(run), path_((std::filesystem::path(run.output_path()) / "checkpoint.h5").string()) {
  try {
    if (run.resume()) found_ = truncation::read_checkpoint(path_, run.inputs_hash());
  } catch (const InputError& e) {
    log::warn("{}: the iteration starts anew", e.what());
  }
  if (found_) log::info("goes on from {}", path_);
}

std::vector<Complex> Checkpoints::start(double frequency) const {
  return found_ && found_->frequency == frequency ? found_->interface : std::vector<Complex>();
}

void Checkpoints::write(double frequency, std::vector<Complex> interface) const {
  truncation::write_checkpoint(path_, {run_.inputs_hash(), frequency, std::move(interface)});
}

void Checkpoints::remove() const {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

TruncationResult Solver::iterate(const Drive& drive, double frequency, std::vector<Complex> start) {
  const auto timer = run_.stage("truncation");
  Timer since_written;
  std::vector<Complex> latest;
  const auto observer = [&](int iterations, double error,
                            const std::function<std::vector<Complex>()>& current) {
    log::info("iteration {}: error {:.2e}", iterations, error);
    latest = current();
    if (since_written.seconds() < 60) return;
    checkpoints_.write(frequency, latest);
    since_written.restart();
  };
  if (start.empty()) start = checkpoints_.start(frequency);
  try {
    if (!setup_.splits()) return problem_.solve(frequency, drive.excitations, start, observer);
    const truncation::SymmetricParts parts(setup_.mesh, setup_.topology, setup_.model, setup_.options);
    return parts.solve(problem_, frequency, drive.excitations, start, observer);
  } catch (const Interrupted&) {  // between two iterations, or anywhere inside one
    if (!latest.empty()) checkpoints_.write(frequency, latest);
    throw;
  }
}

Solved Solver::at(double frequency, std::vector<Complex> start) {
  Solved solved{make_drive(setup_, problem_, problem_.exterior(frequency).k), {}, {}};
  solved.result = iterate(solved.drive, frequency, std::move(start));
  const auto& iteration = solved.result.iteration;
  const auto timer = run_.stage(run::results_stage);
  const InterruptHold hold;
  histories_[frequency] = iteration.history;
  run_.solver(problem_.system().report().method, iteration.iterations, iteration.true_residual,
              iteration.converged);
  if (problem_.system().is_iterative()) run_.solver_fact("inner_iterations", solved.result.solver_steps);
  reports_[frequency] = state_consistency(setup_, problem_, solved.result, frequency, run_);
  if (!iteration.converged)
    throw NumericalError(
        fmt::format("the truncation did not converge in {} iterations: error {:.2e}, asked {:.2e} "
                    "(truncation.max_iterations)",
                    iteration.iterations, iteration.history.back(), setup_.options.iteration.tolerance));
  if (setup_.is_driven_by_ports()) solved.ports = port_solution(problem_, solved.result);
  return solved;
}

void Solver::close() {
  io::CsvWriter history(run_.output("history.csv"), io::provenance_lines(run_.provenance()),
                        {"frequency_hz", "iteration", "relative_error"});
  for (const auto& [frequency, errors] : histories_)
    for (std::size_t i = 0; i < errors.size(); ++i) history.row({frequency, long(i + 1), errors[i]});
  history.close();
  for (const auto& [frequency, report] : reports_) run_.results()["truncation"].push_back(report);
  programs::state_stages(problem_.stages(), run_);
}

}  // namespace curlew::fe_iiee
