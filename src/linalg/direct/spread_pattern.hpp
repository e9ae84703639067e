// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The pattern of a matrix whose rows stand on several processes, and its ordering, on process 0.

#include <vector>

#include "linalg/csr.hpp"
#include "linalg/direct/graph_ordering.hpp"
#include "linalg/process_group.hpp"

namespace curlew::linalg {

/// The graph of A + A^T on process 0; elsewhere of no unknowns. All processes call it.
/// @param own rows of this process; entries of one place may stand on several
QuotientGraph spread_graph(const ProcessGroup& group, const Csr<Complex>& own);

/// Positions by nested dissection on process 0; elsewhere none. All processes call it.
/// @throws on process 0, when the others have done their part, what nested_dissection throws
std::vector<Index> spread_dissection(const ProcessGroup& group, const Csr<Complex>& own);

/// The same by a dissection whose upper levels are halves of the processes: what couples unknowns of two of
/// them separates these, and each orders what it has alone. As good as one of the whole graph where rows are
/// distributed by parts with short boundaries, and nothing of the graph is gathered.
/// @throws what nested_dissection throws, on all processes
std::vector<Index> dissection_by_processes(const ProcessGroup& group, const Csr<Complex>& own);

}  // namespace curlew::linalg
