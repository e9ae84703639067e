// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Impedance (Robin) conditions on boundaries of subdomains. Plain submatrices prescribe zero at their
// boundary: waves are reflected there, and a subdomain near its own resonance spoils the iteration. With an
// impedance every local problem is well posed and waves pass from one to the next. Source: A. St-Cyr, M. J.
// Gander, S. J. Thomas, SIAM J. Sci. Comput. 29 (2007) 2402 (restricted Schwarz with local matrices of other
// conditions); I. G. Graham, E. A. Spence, J. Zou, SIAM J. Numer. Anal. 58 (2020) 2515 (impedance conditions
// for the Helmholtz equation).

#include "linalg/krylov/cell_matrices.hpp"
#include "linalg/krylov/subdomains.hpp"

namespace curlew::linalg {

/// Factor to the impedance jk, which absorbs waves along the normal. Fields that decay with a real constant a
/// would be absorbed by a; (1/2 + j) k suits both. Measured for sound: docs/measured/solvers.md; M. J.
/// Gander, F. Magoules, F. Nataf, SIAM J. Sci. Comput. 24 (2002) 38.
constexpr Complex impedance_factor(1, -0.5);

/// Each subdomain is then the sum of the cells with all unknowns in it, and of impedances on faces to other
/// cells. Conditions on outer surfaces of other cells remain if they share an unknown. @param subdomains of
/// the matrix of these cells, with at least one layer of overlap
void close_by_impedance(const CellMatrices& cells, Subdomains& subdomains);

}  // namespace curlew::linalg
