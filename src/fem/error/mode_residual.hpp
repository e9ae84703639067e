// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of resonant frequencies and of Q from the modes themselves: a mode is the solution of its own
// dual problem, so that its residual in the next order gives the change of k² (adaptive/surplus.hpp).
// Nothing is solved again.

#include "fem/adaptive/surplus.hpp"
#include "fem/error/mode_error.hpp"
#include "fem/error/shape_variant.hpp"
#include "fem/sensitivity/solved_form.hpp"

namespace curlew::fem {

/// The mesh with its facets moved to the curved surfaces; empty with PML or absorbing boundaries, whose forms
/// have no difference.
std::optional<ShapeVariant> movable_shape(const NedelecSpace& space, const Model& model);

/// A mode of 1 J has xᵀMx = 2/ε0: xᵀ(K - k²M)x divided by it is the change of k², and half of that divided by
/// k² the relative change of the frequency.
double weight_of(const CavityMode& mode);

SurplusErrors residuals_of(const NedelecSpace& space, const Model& model, const CavityMode& mode);

/// The relative change of a mode's complex frequency as facets move, to first order.
Complex change_by_shape(const SolvedForm& form, const SolvedForm::State& state, Complex weight,
                        const mesh::Mesh& mesh, const ShapeVariant& shape);

/// Whether the error bars are complete: media are reciprocal, and the error of moved facets is included.
bool have_residual_errors(const NedelecSpace& space, const Model& model);

/// @param is_fitted passes have fitted the mesh to singular fields
std::vector<ModeError> mode_residual_errors(const NedelecSpace& space, const Model& model,
                                            const std::vector<CavityMode>& modes, bool is_fitted);

}  // namespace curlew::fem
