// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loops and trees: a basis of RWG currents that splits them into those without charge and the rest, so that
// the EFIE does not break down where triangles are far smaller than the wavelength. Source: Wilton and
// Glisson (1981), IEEE AP-S Symp. Digest, 124; Vecchi (1999), IEEE Trans. Antennas Propag. 47(2), 339; for
// handles and holes the tree-cotree count of Eppstein (2003), Proc. 14th SODA, 599.

#include "ie/surface/rwg.hpp"
#include "linalg/csr.hpp"

namespace curlew::ie {

/// Currents without charge, from which a basis is chosen.
struct Loops {
  linalg::Csr<double> around;       ///< [functions, nodes] the loop around each node, its potential 1 A
  linalg::Csr<double> cycles;       ///< [functions, cycles] one for every handle, hole or junction
  std::vector<Index> set;           ///< [nodes] number of its connected set; -1: no loop
  std::vector<char> joins_outside;  ///< [nodes] its set has an open edge; else the set's loops sum to zero
  std::vector<Index> tree;          ///< functions of a spanning tree of the triangles
};
Loops find_loops(const SurfaceMesh& mesh, const RwgSpace& space);

struct LoopTree {
  linalg::Csr<double> basis;  ///< [functions, functions]: x = basis z
  Index num_loops = 0;        ///< the first columns are loops, the others functions of a tree
};

/// Loops around the nodes of the surface (all but one of a closed piece; those inside of an open one) and,
/// for every handle, hole or junction, one along the triangles; trees over the triangles of each piece.
LoopTree make_loop_tree(const SurfaceMesh& mesh, const RwgSpace& space);

}  // namespace curlew::ie
