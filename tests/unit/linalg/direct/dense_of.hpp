// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sparse matrix with all of its zeros, for dense elimination.

#include <Eigen/Dense>

#include "linalg/csr.hpp"

namespace curlew::linalg {

template <class T>
using DenseOf = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;

template <class T>
DenseOf<T> dense_of(const Csr<T>& a) {
  DenseOf<T> full = DenseOf<T>::Zero(a.num_rows, a.num_cols);
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k)
      full(i, a.columns[std::size_t(k)]) = a.values[std::size_t(k)];
  return full;
}

}  // namespace curlew::linalg
