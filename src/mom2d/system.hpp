// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The boundary integral equations of a scene as blocks: kernels between unknowns and equations.
//
// Unknowns on a contour: u = Ez (TM) or Hz (TE) and v = (du/dn)/(factor k0). With sigma = +1 for the region a
// contour's normal points into and -1 for the other, the field in region r is
//   u = u_inc [r = 0] + sum_c sigma_c (D_r u_c - factor_r k0 S_r v_c),
// and its limits on a contour give, per region, one equation for u and one for v:
//   u/2          = u_inc          + sum sigma (D u - factor k0 S v)
//   factor v/2   = (du_inc/dn)/k0 + sum sigma (N u/k0 - factor D' v)
// EFIE, MFIE and CFIE, impedance boundaries, Mueller and PMCHWT are weighted sums of these.
// Source: Colton and Kress (2013), ch. 3; Harrington (1989), J. Electromagn. Waves Appl. 3, 1.

#include <vector>

#include "green/helmholtz2d.hpp"
#include "mom2d/nodes.hpp"
#include "mom2d/problem.hpp"

namespace curlew::mom2d {

/// An unknown of a contour: u = as_u x, v = as_v x.
struct Unknown {
  int contour;
  Offset first;  ///< index of its first node in the vector of unknowns
  Complex as_u, as_v;
};

/// An equation of a contour: the sum over its regions of weights times the two limits.
struct EquationRow {
  struct Side {
    int region;
    Complex of_u, of_v;
  };
  int contour;
  std::vector<Side> sides;
};

/// A dense block: equation i, unknown j; at most one kernel for each of the two regions they share.
struct Block {
  Offset row, col;        ///< position in the matrix
  Offset target, source;  ///< first node of the equation's and of the unknown's contour
  Offset num_targets, num_sources;
  complex<double> diagonal;  ///< added on the diagonal of a contour's block with itself
  int num_kernels = 0;
  green::Kernel2d kernels[2];
};

struct System {
  std::vector<Unknown> unknowns;
  std::vector<EquationRow> equations;  ///< equation i has the rows of unknown i
  std::vector<Block> blocks;
  Offset size = 0;
};

System make_system(const Problem& problem, const Scene& scene, const Nodes& nodes);

/// Right-hand sides of plane waves of unit amplitude, in the scaled form sqrt(weight) times the equation.
/// @param phi [rad] directions they come from
/// @returns [phi.size(), size]
std::vector<Complex> excitations(const Problem& problem, const System& system, const Nodes& nodes,
                                 const std::vector<double>& phi);

}  // namespace curlew::mom2d
