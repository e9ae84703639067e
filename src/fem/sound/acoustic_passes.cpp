// SPDX-License-Identifier: BSD-3-Clause
#include "fem/sound/acoustic_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/adaptive/surplus.hpp"
#include "fem/report/solver_report.hpp"
#include "io/frequency.hpp"

namespace curlew::fem {
namespace {

/// @param finer the problem with elements of one more order
void add_frequency(const AcousticCase& c, AcousticProblem& problem, const AcousticProblem& finer,
                   double frequency, mesh::Pass& pass, run::Run& run) {
  const ProbeSet probes(problem.space(), c.model.probes);
  const auto solution = problem.solve(frequency, probes.loads());
  state_solve(solution.solver, run);
  const auto readings = probes.read(solution.pressure);
  const auto columns = Eigen::Index(1 + readings.size());
  double greatest = 1e-300;
  for (const auto& reading : readings) greatest = std::max(greatest, std::abs(reading.pressure));
  Eigen::MatrixXd weights = Eigen::MatrixXd::Zero(columns, columns);
  if (readings.empty())  // P = -1/2 Re int p v*, of walls in phase bᵀp / 2w
    weights(0, 0) = 1 / (4 * pi * frequency * std::abs(solution.power.input));
  else
    weights.col(0).tail(columns - 1).setConstant(1 / greatest);
  const auto found = changes_by_next_order(finer, problem.space(), solution, weights);
  pass.errors.resize(found.cells.size());
  for (std::size_t cell = 0; cell < found.cells.size(); ++cell) pass.errors[cell] += found.cells[cell];

  const auto add = [&](const std::string& name, Complex value, Eigen::Index i, double scale) {
    pass.quantities.push_back({fmt::format("{} {:.6g} Hz", name, frequency), value,
                               missing_by_stars.both * weights(i, 0) * std::abs(found.change(i, 0)), 0});
    pass.quantities.back().scale = scale;
  };
  if (readings.empty()) return add("input power", solution.power.input, 0, 0);
  for (std::size_t i = 0; i < readings.size(); ++i)
    add(c.model.probes[i].name, readings[i].pressure, Eigen::Index(1 + i), greatest);
}

}  // namespace

std::string obstacle_to_passes(const AcousticModel& model) {
  if (model.order > 2) return "for sound, passes need elements of order 1 or 2";
  if (model.probes.empty() && model.is_lossless())
    return "for sound, passes need a [[probe]] or absorbed power, and there is neither";
  if (model.probes.empty() && model.wave)
    return "for the sound of a plane wave, passes need a [[probe]], and there is none";
  return {};
}

AcousticSurplus changes_by_next_order(const AcousticProblem& finer, const LagrangeSpace& space,
                                      const AcousticSolution& solution, const Eigen::MatrixXd& weights) {
  const Eigen::Index nodes = space.num_nodes, duals = weights.cols() - 1, free = finer.space().num_free;
  const auto system = finer.system(solution.frequency);
  Eigen::MatrixXcd x(nodes, 1 + duals), loads(free, 1 + duals);
  x.col(0) = Eigen::Map<const Eigen::VectorXcd>(solution.pressure.data(), nodes);
  x.rightCols(duals) = Eigen::Map<const Eigen::MatrixXcd>(solution.duals.data(), nodes, duals);
  loads.col(0) = Eigen::Map<const Eigen::VectorXcd>(system.rhs.data(), free);
  const auto finer_loads = ProbeSet(finer.space(), finer.model().probes).loads();
  loads.rightCols(duals) =
      Eigen::Map<const Eigen::MatrixXcd>(finer_loads.data(), finer.space().num_nodes, duals).topRows(free);
  return acoustic_surplus(space, finer.space(), system.matrix, x, loads, weights);
}

mesh::Mesh refine_sound(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                        const std::function<std::unique_ptr<AcousticCase>(mesh::Mesh)>& read, run::Run& run) {
  const auto frequencies = job::looked_at(refinement, io::frequencies(config));
  const auto solve = [&](const mesh::Mesh& mesh, const std::vector<Complex>&) {
    const auto c = read(mesh);
    AcousticProblem problem(c->mesh, c->topology, c->model, c->options);
    problem.analyse();
    AcousticModel model = c->model;
    ++model.order;
    const AcousticProblem finer(c->mesh, c->topology, model, c->options);
    const auto info = problem.solver_info();
    mesh::Pass pass{.unknowns = problem.space().num_free,
                    .bytes = is_on_device(info) ? 0 : info.estimated_bytes};
    for (const double f : frequencies) add_frequency(*c, problem, finer, f, pass, run);
    return pass;
  };
  return job::refine(refinement, config, std::move(first), solve, run);
}

}  // namespace curlew::fem
