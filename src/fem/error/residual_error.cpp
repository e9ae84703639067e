// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/residual_error.hpp"

#include <algorithm>
#include <ranges>

#include "base/constants.hpp"
#include "fem/adaptive/sweep_surplus.hpp"
#include "fem/error/edge_ratio.hpp"
#include "fem/error/problem_size.hpp"
#include "fem/sensitivity/solved_form.hpp"

namespace curlew::fem {
namespace {

Missing missing_of(const NedelecSpace& space, const Model& model, bool by_stars) {
  return missing_at_edges(by_stars, space.order, least_ratio(*space.mesh, *space.topology, model));
}

Eigen::MatrixXd bars_of(const Eigen::MatrixXcd& gradients, const Eigen::MatrixXcd& others, Missing missing) {
  return gradients.binaryExpr(others, [&](Complex g, Complex o) { return surplus_bar(g, o, missing); })
      .real();
}

/// @param found the first rows and columns are those of the modes
template <class Found>
ScatteringError error_of_elements(const MaxwellSystem& system, const DrivenSolution& at, const Found& found,
                                  Missing missing, const ResidualContext& context) {
  const auto n = at.scattering.s.rows();
  const StatedScattering as_stated(system, at, context.reference);
  const auto part = [&](const Eigen::MatrixXcd& change) -> Eigen::MatrixXcd {
    return as_stated.change(at.scattering.s,
                            change.topLeftCorner(n, n) / form_of_scattering(at.frequency, context.power));
  };
  ScatteringError error{at.frequency, {}, bars_of(part(found.gradients), part(found.others), missing), {}};
  error.s = error.elements;
  return error;
}

void add_shape(const MaxwellSystem& system, const DrivenSolution& at,
               const Eigen::Map<const Eigen::MatrixXcd>& x, const ResidualContext& context,
               ScatteringError& error) {
  const auto* shape = context.shape;
  if (shape == nullptr) return;
  const auto moved = SolvedForm(system.assembler(), x)
                         .difference({system.model(), at.frequency}, *system.space().mesh, shape->mesh);
  error.s += shape_safety / shape->share *
             StatedScattering(system, at, context.reference)
                 .change(at.scattering.s, moved / form_of_scattering(at.frequency, context.power))
                 .cwiseAbs();
}

}  // namespace

NetworkPoint StatedScattering::point(const Eigen::MatrixXcd& modal) const {
  PortNetwork network(system_.ports(), system_.modes(), reference_);
  network.add(solution_.frequency, solution_.modes, modal);
  return network.points().front();
}

Eigen::MatrixXcd StatedScattering::change(const Eigen::MatrixXcd& s, const Eigen::MatrixXcd& change) const {
  constexpr double step = 1e-6;  // S' is a smooth function of S of size 1
  return (of(s + step * change) - of(s)) / step;
}

Complex form_of_scattering(double frequency, double power) {
  return {0, 8 * pi * frequency * vacuum_permeability * power};
}

std::string no_residual_error(const MaxwellSystem& system) {
  const Model& model = system.model();
  const auto is_reciprocal = [](const RegionMaterial& m) {
    return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric();
  };
  if (!std::all_of(model.materials.begin(), model.materials.end(), is_reciprocal))
    return "a medium is not reciprocal";
  if (!system.has_symmetric_scattering()) return "the dual problem is that of the opposite angle";
  return {};
}

Missing missing_of_one_mesh(const NedelecSpace& space, const Model& model, const SurplusErrors& found) {
  return missing_of(space, model, found.by_stars);
}

Eigen::MatrixXd bars_of_one_mesh(const MaxwellSystem& system, const SurplusErrors& found,
                                 const Eigen::MatrixXcd& gradients, const Eigen::MatrixXcd& others) {
  return bars_of(gradients, others, missing_of_one_mesh(system.space(), system.model(), found));
}

std::size_t residual_bytes(const NedelecSpace& space, const Model& model, std::size_t columns) {
  const mesh::Topology& topology = *space.topology;
  const bool is_real = model.is_lossless();
  const double value = is_real ? sizeof(double) : sizeof(Complex);
  // Per column: the solution; residuals (for real matrices real and imaginary parts); and vectors of the
  // iteration for independent residuals, of which lossless devices have as many as columns.
  const double residuals = is_real ? 2 : 1, kept = 8;
  const int next = std::min(space.order + 1, max_order);
  const auto cells = std::views::iota(Index(0), space.mesh->num_cells());
  const bool has_stars = std::ranges::any_of(cells, [&](Index c) { return space.cell_order(c) == 2; });
  const bool has_form = space.order < max_order || has_stars;
  double functions = has_form ? count_unknowns(topology, nedelec_functions(next)) : space.num_dofs();
  if (space.order == max_order)  // level 4 has 39 functions per cell and no matrix
    functions += 39.0 * space.mesh->num_cells();
  double bytes =
      double(columns) * (sizeof(Complex) * double(space.num_dofs()) + (residuals + kept) * value * functions);
  if (has_form) {
    // The form, its two parts, and that for one kind of functions; at order 2 inverses of some 35 functions
    // of a star.
    bytes += (3.5 * value + 1.5 * sizeof(Index)) * count_entries(topology, nedelec_functions(next));
    if (has_stars) bytes += 35 * 35 * sizeof(float) * double(topology.num_edges());
  }
  return std::size_t(bytes);
}

std::vector<ScatteringError> residual_errors(const MaxwellSystem& system,
                                             const std::vector<DrivenSolution>& solved,
                                             const std::vector<DrivenSolution>& stated,
                                             const ResidualContext& context) {
  std::vector<double> frequencies;
  std::vector<SweepSurplus::Solution> x;
  for (const auto& solution : solved) {
    frequencies.push_back(solution.frequency);
    x.emplace_back(solution.x.data(), system.space().num_dofs(), solution.scattering.s.rows());
  }
  const SweepSurplus surplus(system.space(), system.model(), frequencies, x, context.truncation);
  const Missing missing = missing_of(system.space(), system.model(), surplus.by_stars());
  std::vector<ScatteringError> errors;
  for (const auto& at : stated) {
    const double f = at.frequency;
    auto error = error_of_elements(system, at, surplus.at(f), missing, context);
    const auto k = std::size_t(std::ranges::lower_bound(frequencies, f) - frequencies.begin());
    error.is_spread = k == frequencies.size() || frequencies[k] != f;
    if (!error.is_spread) add_shape(system, at, x[k], context, error);
    errors.push_back(std::move(error));
  }
  return errors;
}

ScatteringError residual_error(const MaxwellSystem& system, const DrivenSolution& solved,
                               const SurplusErrors& found, const ResidualContext& context) {
  const auto missing = missing_of_one_mesh(system.space(), system.model(), found);
  auto error = error_of_elements(system, solved, found, missing, context);
  const Eigen::Map<const Eigen::MatrixXcd> x(solved.x.data(), system.space().num_dofs(),
                                             solved.scattering.s.rows());
  add_shape(system, solved, x, context, error);
  return error;
}

}  // namespace curlew::fem
