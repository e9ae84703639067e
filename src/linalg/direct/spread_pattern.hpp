// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The ordering of a distributed matrix, on process 0.

#include <vector>

#include "base/process_group.hpp"
#include "linalg/csr.hpp"

namespace curlew::linalg {

/// Positions by a nested dissection of A + A^T on process 0; empty on others. Collective. Its upper levels
/// bisect the set of processes: unknowns coupled to another process are separators, and each process orders
/// its interior unknowns. As good as a dissection of the full graph if parts have short boundaries, without
/// gathering the graph. @param own rows of this process; entries of the same position may be on several
/// @throws as nested_dissection, on all processes
std::vector<Index> dissection_by_processes(const ProcessGroup& group, const Csr<Complex>& own);

}  // namespace curlew::linalg
