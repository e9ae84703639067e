// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Choice of the coarse level of a multilevel preconditioner by the resolution of the orders: waves of a lower
// order have a phase error that grows along the structure, and with a large phase error the coarse level does
// not correct the solution. Source of the power: M. Ainsworth, SIAM J. Numer. Anal. 42 (2004) 553. The
// factors on tetrahedra, by their mean edges, are measured (tests/convergence/waveguide_test.cpp).

#include "fem/model/model.hpp"
#include "linalg/krylov/system_solver.hpp"

namespace curlew::fem {

/// Phase error [rad] of elements of order 1 or 2 along the diagonal of the mesh at a frequency [Hz],
/// estimated from the cells' mean edges and volumes and the real parts of the media.
double phase_error(const mesh::Mesh& mesh, const Model& model, double frequency, int order);

/// Chooses options.iterative->coarse_order where it is automatic, 0: one less than the order of the space, or
/// the same order if the phase error of the lower one exceeds the limit measured on devices. If cells differ
/// in order it stays automatic.
/// @param frequency the highest one [Hz]
void choose_coarse_order(const mesh::Mesh& mesh, const Model& model, double frequency,
                         linalg::SystemOptions& options);

}  // namespace curlew::fem
