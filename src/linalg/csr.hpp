// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Compressed sparse rows, the format that assembly writes, files hold and direct solvers read.

#include <vector>

#include "base/types.hpp"

namespace curlew::linalg {

/// Columns of a row ascend. T is Complex, ComplexF, double or float.
template <class T>
struct Csr {
  Index num_rows = 0;
  Index num_cols = 0;
  std::vector<Offset> row_offsets{0};  ///< [num_rows + 1]
  std::vector<Index> columns;          ///< [nnz]
  std::vector<T> values;               ///< [nnz]

  Offset nnz() const { return row_offsets.back(); }
};

}  // namespace curlew::linalg
