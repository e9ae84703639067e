// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What all passes of finite elements share.

#include <functional>

#include "fem/adaptive/surplus.hpp"
#include "fem/driven/low_frequency.hpp"
#include "fem/error/shape_variant.hpp"
#include "fem/sensitivity/solved_form.hpp"
#include "job/refinement.hpp"

namespace curlew::fem {

/// Whether a problem is its own dual, as passes need it.
bool has_reciprocal_media(const Model& model);

/// Adds the error contributions of cells, the orders of their elements and which of them are at sharp
/// edges.
void add_shares(const SurplusErrors& found, const NedelecSpace& space, const Model& model, mesh::Pass& pass);

/// Adds the error contributions of cells that move as facets move to the surface.
/// @param form of solutions x_j @param weights of |changes| of x_iᵀ A x_j, as of surplus_errors
/// @returns those changes, to first order [columns, columns]
Eigen::MatrixXcd add_shape(const SolvedForm& form, const SolvedForm::State& state, const mesh::Mesh& mesh,
                           const ShapeVariant& shape, const Eigen::MatrixXd& weights, mesh::Pass& pass);

/// Rounding error of S on a mesh at a frequency [Hz] (ChargeRounding).
using RoundingOn = std::function<double(const mesh::Mesh&, double)>;
/// @param read (mesh) -> an object with `mesh` and `model`
template <class Read>
RoundingOn rounding_by(const Read& read) {
  return [read](const mesh::Mesh& mesh, double frequency) {
    const auto c = read(mesh);
    return ChargeRounding(c.mesh, c.model).share(c.model, frequency);
  };
}

/// As refine(), but every pass solves on its mesh with the thin cells of refinement.edge_layers at the rims
/// of conductors; sizes belong to the mesh without them. @param rounding for layers
/// made by default @returns the mesh of the last pass, with its layers
mesh::Mesh refine_with_layers(const job::Refinement& refinement, const io::Config& config, mesh::Mesh first,
                              const job::SolvePass& solve, run::Run& run, const RoundingOn& rounding = {});

}  // namespace curlew::fem
