// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/mode_residual.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/system/system_matrix.hpp"

namespace curlew::fem {
namespace {

/// e^{2jφ}, φ the phase of a mode x relative to one whose xᵀMx is positive, by the change of xᵀA(f)x with f.
Complex phase_of(const SolvedForm& form, const Model& model, double f) {
  constexpr double step = 1e-4;
  const Complex slope = form.difference({model, (1 + step) * f}, {model, f})(0, 0);
  return slope / std::abs(slope);
}

}  // namespace

std::optional<ShapeVariant> movable_shape(const NedelecSpace& space, const Model& model) {
  const auto& boundaries = model.boundaries;
  if (!model.pml.empty() ||
      std::any_of(boundaries.begin(), boundaries.end(), [](const auto& b) { return b->is_absorbing(); }))
    return std::nullopt;
  return shape_variant(*space.mesh, *space.topology, model);
}

double weight_of(const CavityMode& mode) {
  const double k = wavenumber(mode.frequency.real());
  return vacuum_permittivity / (4 * k * k);
}

SurplusErrors residuals_of(const NedelecSpace& space, const Model& model, const CavityMode& mode) {
  const Eigen::Map<const Eigen::VectorXcd> x(mode.x.data(), space.num_dofs());
  return surplus_errors(space, model, mode.frequency.real(), x,
                        Eigen::MatrixXd::Constant(1, 1, weight_of(mode)));
}

Complex change_by_shape(const SolvedForm& form, const SolvedForm::State& state, Complex weight,
                        const mesh::Mesh& mesh, const ShapeVariant& shape) {
  return weight / shape.share * form.difference(state, mesh, shape.mesh)(0, 0);
}

bool have_residual_errors(const NedelecSpace& space, const Model& model) {
  return has_symmetric_matrix(model) &&
         (movable_shape(space, model) || !shape_variant(*space.mesh, *space.topology, model));
}

std::vector<ModeError> mode_residual_errors(const NedelecSpace& space, const Model& model,
                                            const std::vector<CavityMode>& modes, bool is_fitted) {
  const auto facets = movable_shape(space, model);
  const Assembler assembler(space);
  std::vector<ModeError> errors;
  for (const auto& mode : modes) {
    const double f = mode.frequency.real(), loss = 1 / mode.q;
    const Eigen::Map<const Eigen::VectorXcd> x(mode.x.data(), space.num_dofs());
    const SolvedForm form(assembler, x);
    const Complex weight = weight_of(mode) / (loss > 0 && model.pml.empty() ? phase_of(form, model, f) : 1.0);
    const auto found = residuals_of(space, model, mode);
    const auto missing = is_fitted ? found.missing() : missing_of_one_mesh(space, model, found);
    const Complex gradients = weight * found.gradients(0, 0), others = weight * found.others(0, 0);
    const Complex moved =
        facets ? shape_safety * change_by_shape(form, {model, f}, weight, *space.mesh, *facets) : 0;
    // Losses in walls, on which no functions are added, have the relative error of k².
    const auto bar_of_loss = [&](double relative, double imaginary) {
      return 2 * (loss * relative + imaginary);
    };
    const double own = surplus_bar(gradients, others, missing),
                 lost = bar_of_loss(own, surplus_bar(gradients.imag(), others.imag(), missing));
    errors.push_back({f * (own + std::abs(moved)), f * own,
                      lost + bar_of_loss(std::abs(moved), std::abs(moved.imag())), lost});
  }
  return errors;
}

}  // namespace curlew::fem
