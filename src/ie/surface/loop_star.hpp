// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A basis in which the EFIE takes about as many iterations at low frequency and on fine meshes as at high
// frequency and on coarse ones. Currents are split into loops and charge-carrying parts of least square norm
// (gradients over the triangles), which unlike trees are orthogonal; both are Haar functions over bisected
// groups of nodes or triangles, each scaled by its static energy. In a wavelet basis a diagonal preconditions
// operators of any order as multigrid does; piecewise constants are at the limit of this theory (orders 1 and
// -1), and the condition number grows with the logarithm of the number of triangles. Sources: Andriulli,
// Cools, Bogaert, Michielssen (2013), IEEE Trans. Antennas Propag. 61(4), 2077 (projectors on loops and stars
// by a graph's Laplacian); Dahmen (1997), Acta Numerica 6, 55, section 7 (wavelets as preconditioners);
// Andriulli, Vipiana, Vecchi (2008), IEEE Trans. Antennas Propag. 56(8), 2278 (hierarchical functions for the
// EFIE).

#include "ie/operator/basis_change.hpp"
#include "ie/surface/system.hpp"

namespace curlew::ie {

/// The transform of all unknowns; M on bodies has the same as J.
BasisTransform make_loop_star(const System& system);

}  // namespace curlew::ie
