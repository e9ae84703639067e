// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Symbolic factorisation of a symmetric pattern: elimination tree and supernodes (columns of the factor with
// the same rows), which use dense arithmetic. Sources: J. W. H. Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134
// (elimination trees); C. Ashcraft, R. Grimes, ACM Trans. Math. Softw. 15 (1989) 291 (relaxed supernodes).

#include <span>
#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

/// Places are positions in the elimination.
struct Supernodes {
  std::vector<Index> order;     ///< [n] the unknown of each place
  std::vector<Index> place;     ///< [n] the place of each unknown
  std::vector<Index> first;     ///< [nodes + 1] the first place of each node, and the end
  std::vector<Index> parent;    ///< [nodes] after its children; -1: none
  std::vector<Offset> offsets;  ///< [nodes + 1] of each node in rows
  std::vector<Index> rows;      ///< places below those of the node, ascending

  Index size() const { return Index(order.size()); }
  Index count() const { return Index(parent.size()); }
  Index width(Index node) const { return first[std::size_t(node) + 1] - first[std::size_t(node)]; }
  std::span<const Index> below(Index node) const {
    return std::span(rows).subspan(std::size_t(offsets[std::size_t(node)]),
                                   std::size_t(offsets[std::size_t(node) + 1] - offsets[std::size_t(node)]));
  }
  /// Stored entries of the factor, and real operations of a complex factorisation.
  double entries() const, flops() const;
};

/// @param offsets [n + 1], columns [nnz]: a symmetric pattern
/// @param positions [n] of each unknown in an elimination with little fill; places give the same fill
Supernodes find_supernodes(std::span<const Offset> offsets, std::span<const Index> columns,
                           const std::vector<Index>& positions);

}  // namespace curlew::linalg
