// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loops: RWG currents without charge, apart from the rest, so that the EFIE does not break down where
// triangles are far smaller than the wavelength. Source: Wilton and Glisson (1981), IEEE AP-S Symp. Digest,
// 124; Vecchi (1999), IEEE Trans. Antennas Propag. 47(2), 339; for handles and holes the tree-cotree count of
// Eppstein (2003), Proc. 14th SODA, 599.

#include "ie/surface/rwg.hpp"
#include "linalg/csr.hpp"

namespace curlew::ie {

/// Currents without charge, from which a basis is chosen.
struct Loops {
  linalg::Csr<double> around;       ///< [functions, nodes] the loop around each node, its potential 1 A
  linalg::Csr<double> cycles;       ///< [functions, cycles] one for every handle, hole or junction
  std::vector<Index> set;           ///< [nodes] number of its connected set; -1: no loop
  std::vector<char> joins_outside;  ///< [nodes] its set has an open edge; else the set's loops sum to zero
};
Loops find_loops(const SurfaceMesh& mesh, const RwgSpace& space);

}  // namespace curlew::ie
