// SPDX-License-Identifier: BSD-3-Clause
#include "fem/error/mode_residual.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"
#include "fem/error/residual_error.hpp"
#include "fem/system/boundary_conditions.hpp"
#include "fem/system/system_matrix.hpp"
#include "fem/system/system_terms.hpp"

namespace curlew::fem {
namespace {

/// f d(xᵀAx)/df of a mode, all that depends on frequency included.
Complex slope_of(const SolvedForm& form, const Assembler& assembler, const Model& model, Complex f) {
  constexpr double step = 1e-4;
  if (model.pml.empty() && is_sum_of_terms(model))
    return form.difference({model, f}, {model, (1 + step) * f})(0, 0) / step;
  const NedelecSpace& space = assembler.space();
  const auto at = [&](Complex frequency) {
    return form.of_surface([&](linalg::Csr<Complex>& a) {
      const Complex k0 = wavenumber(frequency);
      assembler.assemble<Complex>(materials_at(model, *space.mesh, frequency), 1.0, -k0 * k0,
                                  a.values.data());
      add_boundary_conditions(model, space, frequency, a);
    })(0, 0);
  };
  return (at((1 + step) * f) - at(f)) / step;
}

}  // namespace

Complex weight_of(const SolvedForm& form, const Assembler& assembler, const Model& model,
                  const CavityMode& mode) {
  if (!std::isfinite(mode.q)) {
    const double k = wavenumber(mode.frequency.real());
    return vacuum_permittivity / (4 * k * k);
  }
  return -1.0 / slope_of(form, assembler, model, mode.frequency);
}

SurplusErrors residuals_of(const NedelecSpace& space, const Model& model, const CavityMode& mode,
                           Complex weight) {
  const Eigen::Map<const Eigen::VectorXcd> x(mode.x.data(), space.num_dofs());
  return surplus_errors(space, model, mode.frequency.real(), x,
                        Eigen::MatrixXd::Constant(1, 1, std::abs(weight)));
}

Complex change_by_shape(const SolvedForm& form, const SolvedForm::State& state, Complex weight,
                        const mesh::Mesh& mesh, const ShapeVariant& shape) {
  return weight / shape.share * form.difference(state, mesh, shape.mesh)(0, 0);
}

ModeError mode_error(const CavityMode& mode, const SurplusErrors& found, Complex weight, Missing missing,
                     Complex moved) {
  const double f = mode.frequency.real(), loss = 1 / mode.q;
  const Complex gradients = weight * found.gradients(0, 0), others = weight * found.others(0, 0);
  moved *= shape_safety;
  // Losses in walls, on which no functions are added, have the relative error of k².
  const auto bar_of_loss = [&](double relative, double imaginary) {
    return 2 * (loss * relative + imaginary);
  };
  const double own = surplus_bar(gradients, others, missing),
               lost = bar_of_loss(own, surplus_bar(gradients.imag(), others.imag(), missing));
  return {f * (own + std::abs(moved)), f * own, lost + bar_of_loss(std::abs(moved), std::abs(moved.imag())),
          lost};
}

bool have_residual_errors(const Model& model) {
  return has_symmetric_matrix(model);
}

std::vector<ModeError> mode_residual_errors(const NedelecSpace& space, const Model& model,
                                            std::span<const CavityMode> modes, bool is_fitted) {
  const auto facets = shape_variant(*space.mesh, *space.topology, model);
  const Assembler assembler(space);
  std::vector<ModeError> errors;
  for (const auto& mode : modes) {
    const Eigen::Map<const Eigen::VectorXcd> x(mode.x.data(), space.num_dofs());
    const SolvedForm form(assembler, x);
    const Complex weight = weight_of(form, assembler, model, mode);
    const auto found = residuals_of(space, model, mode, weight);
    errors.push_back(mode_error(
        mode, found, weight, is_fitted ? found.missing() : missing_of_one_mesh(space, model, found),
        facets ? change_by_shape(form, {model, mode.frequency}, weight, *space.mesh, *facets) : 0));
  }
  return errors;
}

}  // namespace curlew::fem
