// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rows that are shifts of one another: column minus row is the same. These are the nodes of a regular grid,
// which then need one list of columns for many rows.

#include <vector>

#include "linalg/sparse/row_groups.hpp"

namespace curlew::linalg {

/// Groups of a single row each that are shifts of one another, in runs of `batch`: the members of a run have
/// the same (column - row), are all real or all complex, and ascend. Rows in shorter runs are left out.
/// @return indices of groups, their number a multiple of `batch`
template <class T>
std::vector<Index> shifted_rows(const Csr<T>& a, const RowGroups& groups, Index batch);

}  // namespace curlew::linalg
