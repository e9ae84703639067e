// SPDX-License-Identifier: BSD-3-Clause
// What finer elements and moved facets change of driven sound, for error bars and passes.
#include <cmath>

#include "fem/acoustics/acoustic_probes.hpp"
#include "fem/acoustics/acoustic_radiation.hpp"
#include "fem/error/edge_ratio.hpp"
#include "fem/sound/acoustic_case.hpp"

namespace curlew::fem {
namespace {

Eigen::Map<const Eigen::VectorXcd> vector(const std::vector<Complex>& v) {
  return {v.data(), Eigen::Index(v.size())};
}
Eigen::Map<const Eigen::MatrixXcd> matrix(const std::vector<Complex>& v, Eigen::Index nodes) {
  return {v.data(), nodes, Eigen::Index(v.size()) / nodes};
}

/// How the solution and what its duals stand for change on a mesh with moved facets, to first order: from the
/// residual and the loads there; far fields without those of their loads. [1 + duals]
Eigen::VectorXcd changes_by_moved_facets(const AcousticProblem& problem, const AcousticProblem& moved,
                                         const AcousticSolution& solution) {
  const auto& space = problem.space();
  const Eigen::Index nodes = space.num_nodes, free = space.num_free,
                     probes = Eigen::Index(problem.model().probes.size());
  const auto system = moved.system(solution.frequency);
  const auto rhs = problem.system(solution.frequency).rhs;
  const auto p = vector(solution.pressure);
  Eigen::VectorXcd product(free);
  linalg::multiply(system.matrix, p.data(), product.data());
  const Eigen::VectorXcd residual = vector(system.rhs) - product, load = vector(system.rhs) - vector(rhs);
  const auto duals = matrix(solution.duals, nodes);
  Eigen::VectorXcd changes(1 + duals.cols());
  changes[0] = p.head(free).cwiseProduct(residual + load).sum();
  changes.tail(duals.cols()) = duals.topRows(free).transpose() * residual;
  const auto before = ProbeSet(space, problem.model().probes).loads(),
             after = ProbeSet(moved.space(), problem.model().probes).loads();
  changes.segment(1, probes) += (matrix(after, nodes) - matrix(before, nodes)).transpose() * p;
  return changes;
}

/// What elements of one more order change. The first column is the solution, then its duals.
/// @param finer the problem with those elements @param loads [finer.num_nodes, duals] of the duals
AcousticSurplus changes_by_next_order(const AcousticProblem& finer, const LagrangeSpace& space,
                                      const AcousticSolution& solution, const std::vector<Complex>& of_duals,
                                      const Eigen::MatrixXd& weights) {
  const Eigen::Index nodes = space.num_nodes, duals = weights.cols() - 1, free = finer.space().num_free;
  const auto system = finer.system(solution.frequency);
  Eigen::MatrixXcd x(nodes, 1 + duals), loads(free, 1 + duals);
  x.col(0) = vector(solution.pressure);
  x.rightCols(duals) = matrix(solution.duals, nodes);
  loads.col(0) = vector(system.rhs).head(free);
  loads.rightCols(duals) = matrix(of_duals, finer.space().num_nodes).topRows(free);
  return acoustic_surplus(space, finer.space(), system.matrix, x, loads, weights);
}

}  // namespace

FarTargets far_targets(const LagrangeSpace& space, const AcousticModel& model,
                       const AcousticSolution& solution) {
  if (!model.far_field) return {};
  const auto directions = model.far_field->directions();
  const auto pattern = SoundRadiation(space, model).pattern(solution, directions, false);
  FarTargets targets{{directions[pattern.strongest()]}, model.wave.has_value()};
  if (model.wave) targets.directions.push_back({model.wave->theta, model.wave->phi});
  return targets;
}

std::vector<Complex> far_loads(const LagrangeSpace& space, const AcousticModel& model,
                               const AcousticSolution& solution, const FarTargets& targets) {
  if (targets.size() == 0) return {};
  const SoundRadiation radiation(space, model);
  std::vector<Complex> loads;
  const auto append = [&](const std::vector<Complex>& load) {
    loads.insert(loads.end(), load.begin(), load.end());
  };
  for (const auto& direction : targets.directions) append(radiation.far_load(direction, solution.frequency));
  if (targets.power) append(radiation.power_load(solution));
  return loads;
}

std::vector<Complex> far_values(const LagrangeSpace& space, const AcousticModel& model,
                                const AcousticSolution& solution, const FarTargets& targets) {
  if (targets.size() == 0) return {};
  auto pattern = SoundRadiation(space, model).pattern(solution, targets.directions, false);
  if (targets.power) pattern.pressure.emplace_back(pattern.power);
  return pattern.pressure;
}

SoundChanges::SoundChanges(const AcousticCase& c) : case_(c), shape_(shape_variant(c)) {
  AcousticModel next = c.model;
  ++next.order;
  finer_.emplace(c.mesh, c.topology, next, c.options);
  if (shape_) moved_.emplace(shape_->mesh, c.topology, c.model, c.options);
}

SoundChanges::Found SoundChanges::of(const AcousticProblem& problem, const AcousticSolution& solution,
                                     const FarTargets& targets, const Eigen::MatrixXd& weights) const {
  const auto& model = case_.model;
  const auto& space = problem.space();
  const auto far = Eigen::Index(targets.size());
  AcousticSolution carried;
  carried.frequency = solution.frequency;
  const Eigen::MatrixXcd p =
      carried_over(space, finer_->space(), matrix(solution.pressure, Eigen::Index(space.num_nodes)));
  carried.pressure.assign(p.data(), p.data() + p.size());
  auto loads = ProbeSet(finer_->space(), model.probes).loads();
  const auto further = far_loads(finer_->space(), model, carried, targets);
  loads.insert(loads.end(), further.begin(), further.end());
  // Loads of far fields change with the elements too.
  const auto before = far_values(space, model, solution, targets);
  const auto by_loads = [&](const LagrangeSpace& other, const AcousticSolution& given) -> Eigen::VectorXcd {
    return vector(far_values(other, model, given, targets)) - vector(before);
  };
  Found found;
  auto surplus = changes_by_next_order(*finer_, space, solution, loads, weights);
  found.cells = std::move(surplus.cells);
  found.by_order = surplus.change.col(0);
  found.by_order.tail(far) += by_loads(finer_->space(), carried);
  found.by_shape = Eigen::VectorXcd::Zero(found.by_order.size());
  if (moved_) {
    found.by_shape = changes_by_moved_facets(problem, *moved_, solution);
    found.by_shape.tail(far) += by_loads(moved_->space(), solution);
    found.by_shape /= shape_->share;
  }
  for (Eigen::VectorXcd* changes : {&found.by_order, &found.by_shape})
    if (targets.power) changes->tail(1) = changes->tail(1).real().cast<Complex>();
  return found;
}

}  // namespace curlew::fem
