// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/residual_error.hpp"

#include <algorithm>

#include "base/constants.hpp"
#include "fem/error/edge_ratio.hpp"
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

std::size_t residual_bytes(const NedelecSpace& space) {
  // Forms of cells with 23 functions in double precision, inverses of 35 functions around 1.2 edges a cell in
  // single, and vectors on them (star_corrections.cpp).
  constexpr std::size_t of_stars = 23 * 23 * sizeof(Complex) + 12 * 35 * 35 / 10 * sizeof(ComplexF) + 3000;
  constexpr std::size_t of_diagonal = 1500;  // 39 functions, shared by cells: diagonal and residuals
  return std::size_t(space.mesh->num_cells()) * (space.order == 2 ? of_stars : of_diagonal);
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
