// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Fill-reducing orderings of a symmetric pattern by nested dissection (METIS), on the graph in which unknowns
// with the same neighbours are one vertex. In a finite element matrix of order p all functions of one edge,
// face or cell share their neighbours: at p = 3 the graph shrinks ten times, and separators cut no entity in
// two. Source: G. Karypis, V. Kumar, SIAM J. Sci. Comput. 20 (1998) 359; C. Ashcraft, SIAM J. Sci. Comput. 16
// (1995) 1404 (compressed graphs).

#include <span>
#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

/// A graph whose vertices are groups of unknowns.
struct QuotientGraph {
  std::vector<Index> group_of;     ///< [unknowns]
  std::vector<Index> group_sizes;  ///< [groups]
  std::vector<Offset> offsets;     ///< [groups + 1]
  std::vector<Index> neighbours;   ///< no vertex is its own neighbour

  Index num_groups() const { return Index(group_sizes.size()); }
};

/// Merges unknowns whose rows, including the diagonal, have the same columns.
/// @param offsets [n + 1], columns [nnz]: a symmetric pattern, columns ascending
QuotientGraph compress_pattern(std::span<const Offset> offsets, std::span<const Index> columns);

/// Position of every unknown in the elimination; the members of a group are consecutive and ascending.
/// @throws ResourceError if the graph exceeds METIS' index type, or METIS runs out of memory
std::vector<Index> nested_dissection(const QuotientGraph& graph);

/// The same by approximate minimum degree, in a tenth of the time, and callable from several threads; for a
/// cube it takes 2.8 times the operations of METIS at 8,000 unknowns, 3.6 at 30,000. Source: P. R. Amestoy,
/// T. A. Davis, I. S. Duff, SIAM J. Matrix Anal. Appl. 17 (1996) 886.
std::vector<Index> minimum_degree(std::span<const Offset> offsets, std::span<const Index> columns);

/// Part of every group, 0 .. parts - 1, with equal numbers of unknowns and short boundaries. A part may stay
/// empty if there are few groups.
/// @param parts 1 or more @throws as nested_dissection
std::vector<Index> partition_graph(const QuotientGraph& graph, Index parts);

/// The same by recursive bisection: the first parts / 2 are one half, and so on. For a power of two, parts 2
/// i and 2 i + 1 divide part i of the partition into half as many; parts of few groups are bisected by a
/// breadth-first search (J. A. George, J. W. H. Liu, Computer Solution of Large Sparse Positive Definite
/// Systems, Prentice-Hall 1981, section 8.4).
std::vector<Index> bisect_graph(const QuotientGraph& graph, Index parts);

}  // namespace curlew::linalg
