// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Impedance (Robin) conditions where subdomains are cut out of a mesh. Submatrices alone have values of zero
// at their boundary: waves are reflected there, and a subdomain near its own resonance spoils the iteration.
// With an impedance every local problem is well posed and waves pass from one to the next. Source: A. St-Cyr,
// M. J. Gander, S. J. Thomas, SIAM J. Sci. Comput. 29 (2007) 2402 (restricted Schwarz with local matrices of
// other conditions); I. G. Graham, E. A. Spence, J. Zou, SIAM J. Numer. Anal. 58 (2020) 2515 (impedance
// conditions for the Helmholtz equation).

#include "linalg/krylov/cell_matrices.hpp"
#include "linalg/krylov/subdomains.hpp"

namespace curlew::linalg {

/// Of the impedance that lets waves along the normal leave, jk. Fields that decay along the normal with a, a
/// real number, would leave through a; half a k beside jk, (1/2 + j) k, serves both. Measured for sound:
/// docs/measured/solvers.md; M. J. Gander, F. Magoules, F. Nataf, SIAM J. Sci. Comput. 24 (2002) 38.
constexpr Complex impedance_factor(1, -0.5);

/// Each subdomain is then the sum of the cells that lie in it with all their unknowns, and of impedances on
/// the faces to the others. Conditions on outer surfaces of these others stay where they share an unknown.
/// @param subdomains of a matrix that was summed from these cells, grown by a layer at least
void close_by_impedance(const CellMatrices& cells, Subdomains& subdomains);

}  // namespace curlew::linalg
