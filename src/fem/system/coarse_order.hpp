// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The coarse level of a multilevel preconditioner by the resolution of its orders: waves of a lower order are
// too slow or too fast by a phase that grows along the structure, and a coarse level whose waves are out of
// step with those of the system does not correct them. Source of the power: M. Ainsworth, SIAM J. Numer.
// Anal. 42 (2004) 553. The factors on tetrahedra, by their mean edges, are measured
// (tests/convergence/waveguide_test.cpp).

#include <functional>

#include "fem/model/model.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// Phase [rad] by which waves of elements go wrong along the diagonal of the mesh; cells by their mean edge h
/// and volume. @param wave_number k of a cell [1/m] @param relative_error of it, a function of k h
double phase_error(const mesh::Mesh& mesh, const std::function<double(Index)>& wave_number,
                   const std::function<double(double)>& relative_error);
/// The same of Nédélec elements of an order, 1 or 2, at a frequency [Hz]; media by their real parts.
double phase_error(const mesh::Mesh& mesh, const Model& model, double frequency, int order);

/// Chooses options.iterative->coarse_order where it is automatic, 0: `order`, that of the space, where waves
/// of elements of order `lower` go wrong by more than measured devices bear; else it stays.
void choose_coarse_order(double phase_of_lower, int lower, int order, linalg::SystemOptions& options);

/// The same of a model: the coarse level is one order below the space. Where cells differ in order it stays.
/// @param frequency the highest one [Hz]
void choose_coarse_order(const mesh::Mesh& mesh, const Model& model, double frequency,
                         linalg::SystemOptions& options);

}  // namespace curlew::fem
