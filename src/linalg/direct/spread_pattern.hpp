// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The pattern of a distributed matrix, and its ordering, on process 0.

#include <vector>

#include "base/process_group.hpp"
#include "linalg/csr.hpp"
#include "linalg/direct/graph_ordering.hpp"

namespace curlew::linalg {

/// The graph of A + A^T on process 0; empty on others. Collective. @param own rows of this process; entries
/// of the same position may be on several
QuotientGraph spread_graph(const ProcessGroup& group, const Csr<Complex>& own);

/// Positions by nested dissection on process 0; empty on others. Collective. @throws as nested_dissection on
/// process 0, after the others are done
std::vector<Index> spread_dissection(const ProcessGroup& group, const Csr<Complex>& own);

/// The same by a dissection whose upper levels bisect the set of processes: unknowns coupled to another
/// process are separators, and each process orders its interior unknowns. As good as a dissection of the full
/// graph if parts have short boundaries, without gathering the graph. @throws as nested_dissection, on all
/// processes
std::vector<Index> dissection_by_processes(const ProcessGroup& group, const Csr<Complex>& own);

}  // namespace curlew::linalg
