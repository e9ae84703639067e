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
double consistency(const Setup& setup, const TruncatedProblem& problem, const TruncationResult& result,
                   double frequency, run::Run& run) {
  const auto outside = problem.exterior(frequency);
  const auto inner = fields::far_field(problem.inner_points(), result.inner, setup.far_field.directions,
                                       outside, run.device());
  const auto outer = fields::far_field(problem.outer_points(), result.outer, setup.far_field.directions,
                                       outside, run.device());
  return truncation::mismatch(inner, outer);
}

/// S at a frequency. In a symmetric model 1 W refers to the whole structure.
fem::DrivenSolution port_solution(const TruncatedProblem& problem, const TruncationResult& result) {
  return problem.system().port_solution(result.x.data(),
                                        std::ldexp(1.0, -int(problem.surfaces().planes.size())));
}

std::vector<Complex> as_complex(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<double> as_real(const std::vector<Complex>& numbers) {
  std::vector<double> out;
  for (const Complex z : numbers) out.push_back(z.real());
  return out;
}

std::vector<Complex> flat(const std::vector<Vec3<Complex>>& vectors) {
  std::vector<Complex> out;
  for (const auto& v : vectors) out.insert(out.end(), {v.x, v.y, v.z});
  return out;
}

std::vector<Vec3<Complex>> vectors(const std::vector<Complex>& flat) {
  std::vector<Vec3<Complex>> out;
  for (std::size_t i = 0; i + 2 < flat.size(); i += 3) out.push_back({flat[i], flat[i + 1], flat[i + 2]});
  return out;
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

TruncationResult Solver::iterate(const Drive& drive, double frequency) {
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
  const auto start = checkpoints_.start(frequency);
  try {
    if (!setup_.splits()) return problem_.solve(frequency, drive.excitations, start, observer);
    const truncation::SymmetricParts parts(setup_.mesh, setup_.topology, setup_.model, setup_.options);
    return parts.solve(problem_, frequency, drive.excitations, start, observer);
  } catch (const Interrupted&) {  // between two iterations, or anywhere inside one
    if (!latest.empty()) checkpoints_.write(frequency, latest);
    throw;
  }
}

Solved Solver::at(double frequency) {
  Solved solved{make_drive(setup_, problem_, problem_.exterior(frequency).k), {}, {}};
  solved.result = iterate(solved.drive, frequency);
  const auto& iteration = solved.result.iteration;
  const auto timer = run_.stage(run::results_stage);
  const InterruptHold hold;
  run_.solver(problem_.system().report().method, iteration.iterations, iteration.true_residual,
              iteration.converged);
  if (problem_.system().is_iterative()) run_.solver_fact("inner_iterations", solved.result.solver_steps);
  state(frequency, iteration, consistency(setup_, problem_, solved.result, frequency, run_));
  if (!iteration.converged)
    throw NumericalError(
        fmt::format("the truncation did not converge in {} iterations: error {:.2e}, asked {:.2e} "
                    "(truncation.max_iterations)",
                    iteration.iterations, iteration.history.back(), setup_.options.iteration.tolerance));
  if (setup_.is_driven_by_ports()) solved.ports = port_solution(problem_, solved.result);
  return solved;
}

void Solver::state(double frequency, const truncation::IterationReport& iteration, double consistency) {
  histories_[frequency] = iteration.history;
  consistencies_[frequency] = consistency;
  run_.line(fmt::format(
      "{:.6g} GHz: {} iterations, residual {:.1e}; truncation consistency {:.1e} (far fields of S' against S "
      "of this solution; not an error)",
      1e-9 * frequency, iteration.iterations, iteration.true_residual, consistency));
  reports_[frequency] = {{"frequency_hz", frequency},
                         {"iterations", iteration.iterations},
                         {"converged", iteration.converged},
                         {"true_residual", iteration.true_residual},
                         {"truncation_consistency", consistency}};
}

run::SolvedArrays Solver::kept(double frequency, const Solved& solved) const {
  const auto& r = solved.result;
  return {{"interface", r.interface},
          {"x", r.x},
          {"source_power", as_complex(r.source_power)},
          {"inner_electric", flat(r.inner.electric)},
          {"inner_magnetic", flat(r.inner.magnetic)},
          {"outer_electric", flat(r.outer.electric)},
          {"outer_magnetic", flat(r.outer.magnetic)},
          {"history", as_complex(r.iteration.history)},
          {"iteration",
           {Complex(r.iteration.iterations), r.iteration.true_residual, consistencies_.at(frequency)}}};
}

Solved Solver::restored(double frequency, run::SolvedArrays arrays) {
  Solved solved{make_drive(setup_, problem_, problem_.exterior(frequency).k), {}, {}};
  auto& r = solved.result;
  const auto count = Index(solved.drive.excitations.size());
  r.interface = std::move(arrays["interface"]), r.x = std::move(arrays["x"]);
  r.source_power = as_real(arrays["source_power"]);
  r.inner.count = count, r.outer.count = count;
  r.inner.electric = vectors(arrays["inner_electric"]), r.inner.magnetic = vectors(arrays["inner_magnetic"]);
  r.outer.electric = vectors(arrays["outer_electric"]), r.outer.magnetic = vectors(arrays["outer_magnetic"]);
  const auto& numbers = arrays["iteration"];
  r.iteration = {true, int(numbers.at(0).real()), as_real(arrays["history"]), numbers.at(1).real()};
  state(frequency, r.iteration, numbers.at(2).real());
  problem_.system().take_frequency(frequency);
  if (setup_.is_driven_by_ports()) solved.ports = port_solution(problem_, r);
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
