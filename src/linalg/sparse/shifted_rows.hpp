// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rows that are shifts of one another: the columns less the row are the same. These are the nodes of a
// regular grid, which then need one list of columns for many rows.

#include <vector>

#include "linalg/sparse/row_groups.hpp"

namespace curlew::linalg {

/// Groups of one row that are shifts of one another, in runs of `batch`: the members of a run share their
/// columns less the row and their being real, and ascend. Rows without `batch` companions are left out.
/// @return numbers of groups, a multiple of `batch` of them
template <class T>
std::vector<Index> shifted_rows(const Csr<T>& a, const RowGroups& groups, Index batch);

}  // namespace curlew::linalg
