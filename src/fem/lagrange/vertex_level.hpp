// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The space of order 1 below a Lagrange space, the coarse level of a two-level preconditioner.

#include "fem/lagrange/lagrange_space.hpp"
#include "fem/lagrange/scalar_assembly.hpp"

namespace curlew::fem {

/// Values of the functions of `lowest` at the free nodes of a space of the same mesh and the same fixed
/// surfaces.
/// @return [space.num_free, lowest.num_free]
linalg::Csr<Complex> interpolation(const LagrangeSpace& lowest, const LagrangeSpace& space);

/// Coefficients, a material per cell, that correct the dispersion error of order 1: its waves are too long,
/// and a coarse correction with wrong phase amplifies errors instead of removing them. The reaction r of a
/// cell becomes r (1 + c k^2 h^2), k^2 = w^2 r / d, h^2 the mean square of its edges. c is measured:
/// docs/measured/solvers.md. Sources: M. Ainsworth, SIAM J. Numer. Anal. 42 (2004) 553 (of the power); C. C.
/// Stolk, M. Ahmed, S. K. Bhowmik, SIAM J. Sci. Comput. 36 (2014) A2819, arXiv:1304.4103 (of the idea).
/// @param omega [rad/s]
ScalarCoefficients in_step(const ScalarCoefficients& coefficients, const mesh::Mesh& mesh, double omega);

}  // namespace curlew::fem
