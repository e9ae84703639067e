// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A nested dissection made by the caller, for example of the cells of a mesh, as ordering for a direct
// solver. There are fewer cells than unknowns, and they are known before the matrix. Source: A. George, SIAM
// J. Numer. Anal. 10 (1973) 345.

#include <bit>
#include <vector>

#include "base/types.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

/// A binary tree of sets of unknowns. Nodes are numbered from the root, 1; the children of node i are 2 i and
/// 2 i + 1. Unknowns of two nodes share no entry of the matrix unless one node is above the other.
struct DissectionTree {
  Index num_leaves = 1;        ///< of equal depth, a power of two: nodes num_leaves .. 2 num_leaves - 1
  std::vector<Index> node_of;  ///< [unknowns] 1 .. 2 num_leaves - 1
};

/// Lowest common ancestor of two nodes, possibly one of them.
Index common_ancestor(Index a, Index b);

/// Moves unknowns up the tree until it fits the pattern; few move if it nearly fits.
/// @param a symmetric pattern, or one triangle of it
template <class T>
void fit_to_pattern(DissectionTree& tree, const Csr<T>& a);

/// An elimination order from the upper levels of a tree; unknowns below them are in the leaves, deepest
/// first.
struct DissectionOrder {
  std::vector<int> unknowns;    ///< [unknowns] in the order of elimination
  std::vector<int> part_sizes;  ///< [2^levels - 1] lowest level first, each from left to right

  int levels() const { return int(std::bit_width(part_sizes.size())); }
};
/// @param levels at least 1; no more than the tree has are used
DissectionOrder elimination_order(const DissectionTree& tree, int levels);

}  // namespace curlew::linalg
