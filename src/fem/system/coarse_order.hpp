// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The coarse level of a multilevel preconditioner by the resolution of its orders: waves of a lower order are
// too slow or too fast by a phase that grows along the structure, and a coarse level whose waves are out of
// step with those of the system does not correct them. Source of the power: M. Ainsworth, SIAM J. Numer.
// Anal. 42 (2004) 553. The factors on tetrahedra, by their mean edges, are measured
// (tests/convergence/waveguide_test.cpp).

#include "fem/model/model.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// Phase [rad] by which waves of elements of an order, 1 or 2, go wrong along the diagonal of the mesh at a
/// frequency [Hz]; cells by their mean edge and volume, media by their real parts.
double phase_error(const mesh::Mesh& mesh, const Model& model, double frequency, int order);

/// Chooses options.iterative->coarse_order where it is automatic, 0: one less than the order of the space, or
/// this order itself where waves of the lower one would be wrong by more than measured devices bear. Where
/// cells differ in order it stays automatic.
/// @param frequency the highest one [Hz]
void choose_coarse_order(const mesh::Mesh& mesh, const Model& model, double frequency,
                         linalg::SystemOptions& options);

}  // namespace curlew::fem
