// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error bars of resonant frequencies and of Q from the modes themselves: a mode is the solution of its own
// dual problem, so that its residual in the next order gives the change of k² (adaptive/surplus.hpp).
// Nothing is solved again.

#include <span>

#include "fem/adaptive/surplus.hpp"
#include "fem/error/mode_error.hpp"
#include "fem/error/shape_variant.hpp"
#include "fem/sensitivity/solved_form.hpp"

namespace curlew::fem {

/// The number w for which w xᵀ δA x is the relative change of the complex frequency as A changes by δA:
/// -1 / (f d(xᵀAx)/df). Without loss ε0/4k², since a mode of 1 J has xᵀMx = 2/ε0.
/// @param form of the mode @param assembler of its space
Complex weight_of(const SolvedForm& form, const Assembler& assembler, const Model& model,
                  const CavityMode& mode);

/// @param weight of the mode
SurplusErrors residuals_of(const NedelecSpace& space, const Model& model, const CavityMode& mode,
                           Complex weight);

/// The relative change of a mode's complex frequency as facets move, to first order.
Complex change_by_shape(const SolvedForm& form, const SolvedForm::State& state, Complex weight,
                        const mesh::Mesh& mesh, const ShapeVariant& shape);

/// @param found residuals_of the mode @param missing what they do not find @param moved change_by_shape, 0 if
/// no facet moves
ModeError mode_error(const CavityMode& mode, const SurplusErrors& found, Complex weight, Missing missing,
                     Complex moved);

/// Whether a mode is the solution of its own dual problem: media are reciprocal.
bool have_residual_errors(const Model& model);

/// @param is_fitted passes have fitted the mesh to singular fields
std::vector<ModeError> mode_residual_errors(const NedelecSpace& space, const Model& model,
                                            std::span<const CavityMode> modes, bool is_fitted);

}  // namespace curlew::fem
