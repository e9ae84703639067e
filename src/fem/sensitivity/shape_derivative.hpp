// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// x_iᵀ A' x_j with fixed unknowns when the nodes of the mesh move: the geometric part of A'.
//
// With G = grad V of a motion V, fields that keep their unknowns change by E' = -Gᵀ E and (curl E)' =
// (G - tr G) curl E, volumes by tr G (piola.hpp). The change of a cell is therefore ∫ P : G, with P depending
// only on the fields, not on the motion. On surfaces G is the gradient along them. Source: Delfour and
// Zolésio (2011), Shapes and Geometries, chapter 9.

#include <Eigen/Core>
#include <span>
#include <vector>

#include "fem/sensitivity/solved_form.hpp"

namespace curlew::fem {

/// Velocities of the nodes of a mesh [num_nodes].
using Motion = std::span<const Vec3<double>>;

/// For each motion x_iᵀ A' x_j [columns, columns] without ports, with the quadrature rules of the assembly.
/// @param x [num_dofs, columns]
/// @throws InputError if cells of a perfectly matched layer move, and for absorbing boundaries of order 2
std::vector<Eigen::MatrixXcd> shape_derivatives(const NedelecSpace& space, const Eigen::MatrixXcd& x,
                                                const SolvedForm::State& state,
                                                std::span<const Motion> motions);

}  // namespace curlew::fem
