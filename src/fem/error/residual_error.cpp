// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/residual_error.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "fem/error/edge_ratio.hpp"
#include "fem/error/problem_size.hpp"
#include "fem/sensitivity/solved_form.hpp"

namespace curlew::fem {

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

std::string no_residual_error(const MaxwellSystem& system, const ShapeVariant* shape) {
  const Model& model = system.model();
  const auto is_reciprocal = [](const RegionMaterial& m) {
    return m.epsilon_r.is_symmetric() && m.mu_r.is_symmetric();
  };
  if (!std::all_of(model.materials.begin(), model.materials.end(), is_reciprocal))
    return "a medium is not reciprocal";
  if (!system.has_symmetric_scattering()) return "the dual problem is that of the opposite angle";
  if (shape != nullptr && !model.pml.empty()) return "facets move in a perfectly matched layer";
  return {};
}

Eigen::MatrixXd bars_of_one_mesh(const MaxwellSystem& system, const SurplusErrors& found,
                                 const Eigen::MatrixXcd& gradients, const Eigen::MatrixXcd& others) {
  const NedelecSpace& space = system.space();
  const auto missing = missing_at_edges(found.by_stars, space.order,
                                        least_ratio(*space.mesh, *space.topology, system.model()));
  return gradients.binaryExpr(others, [&](Complex g, Complex o) { return surplus_bar(g, o, missing); })
      .real();
}

std::size_t residual_bytes(const MaxwellSystem& system, std::size_t columns) {
  const NedelecSpace& space = system.space();
  const mesh::Topology& topology = *space.topology;
  constexpr double vectors = 8;  // a column: solution, residuals, corrections, steps of the iteration
  const int next = space.order + 1;
  const bool has_form = next <= max_order;  // of level 4 there are 39 functions a cell and no matrix
  const double functions = has_form ? count_unknowns(topology, nedelec_functions(next))
                                    : space.num_dofs() + 39.0 * space.mesh->num_cells();
  double bytes = vectors * double(columns) * functions * sizeof(Complex);
  if (has_form) {
    // The form and its part for one kind of functions; at order 2 inverses of some 35 functions of a star.
    const bool is_real = system.model().is_lossless();
    const double entry = (is_real ? sizeof(double) : sizeof(Complex)) + sizeof(Index);
    bytes += 1.5 * entry * count_entries(topology, nedelec_functions(next));
    if (space.order == 2) bytes += 35 * 35 * sizeof(float) * double(topology.num_edges());
  }
  return std::size_t(bytes);
}

ScatteringError residual_error(const MaxwellSystem& system, const DrivenSolution& solution,
                               std::optional<Complex> reference, const ShapeVariant* shape) {
  const Eigen::MatrixXcd s = solution.scattering.s;
  const auto n = s.rows();
  const Eigen::Map<const Eigen::MatrixXcd> x(solution.x.data(), system.space().num_dofs(), n);
  const double f = solution.frequency;
  const Complex scale = form_of_scattering(f);
  const StatedScattering stated(system, solution, reference);
  const auto part = [&](const Eigen::MatrixXcd& change) -> Eigen::MatrixXcd {
    return stated.change(s, change / scale);
  };
  const auto found = surplus_errors(system.space(), system.model(), f, x, Eigen::MatrixXd::Zero(n, n));
  ScatteringError error{
      f, {}, bars_of_one_mesh(system, found, part(found.gradients), part(found.others)), {}};
  error.s = error.elements;
  if (shape == nullptr) return error;
  const SolvedForm form(system.assembler(), x);
  const auto moved = form.difference({system.model(), f}, *system.space().mesh, shape->mesh);
  error.s += shape_safety / shape->share * part(moved).cwiseAbs();
  return error;
}

}  // namespace curlew::fem
