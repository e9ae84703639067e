// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Error of the volume equation from one solution.
//
// E of SWG functions is nearly constant in a cell, and its error e is that of an interpolation, which changes
// sign from cell to cell. By the symmetry of the matrix and Galerkin's orthogonality the error of the far
// field of wave 1 in the direction from which wave 2 arrives is
//   dF = k²/4π a(e_1, e_2),   a(e_1, e_2) = int (eps_r - 1) e_1·e_2 dV + charge of the faces between
//   contrasts:
// the integrals with G average e, whose divergence is zero, to zero, but not the charge (eps_r - 1) e·n on
// the surface: it changes sign over an edge h, and its potential is h/2π times it. dF is bounded by a(|e_1|,
// |e_1|). e is measured against E fitted linearly to the centres of the cells of a material around each node.
// Sources: Zienkiewicz and Zhu (1992), Int. J. Numer. Meth. Engng. 33, 1331 (recovery from patches); Johnson
// et al. (2002), Phys. Rev. E 65, 066611 (interfaces that move).

#include <span>

#include "ie/mixed_potential/far_field_error.hpp"
#include "ie/volume/swg.hpp"

namespace curlew::ie {

/// E [V/m] at the corners of the cells less that of the solution: linear in each cell. [num_cells]
using CellErrors = std::vector<std::array<Vec3<Complex>, 4>>;

/// @param mesh of the basis @param epsilon_r [num_cells] @param x [unknowns] a solution
CellErrors field_errors(const mesh::Mesh& mesh, const SwgBasis& basis, std::span<const Complex> epsilon_r,
                        const Complex* x);
/// Root mean square over each cell [V/m], [num_cells].
std::vector<double> sizes_of(const CellErrors& errors);

/// @param k wavenumber of the vacuum [1/m]
/// @param gaps [nodes of the mesh] displacement after which facets lie at the mean place of the surface [m]
FarFieldError far_field_error(const mesh::Mesh& mesh, const SwgBasis& basis,
                              std::span<const Complex> epsilon_r, double k,
                              const std::vector<Vec3<double>>& gaps, const Complex* x);

}  // namespace curlew::ie
