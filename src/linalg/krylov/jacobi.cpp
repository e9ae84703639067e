// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/krylov/jacobi.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::linalg {

template <class T>
std::vector<T> inverse_diagonal(const Csr<T>& a) {
  std::vector<T> d(a.num_rows);
  for (Index i = 0; i < a.num_rows; ++i) {
    const auto begin = a.columns.begin() + a.row_offsets[i], end = a.columns.begin() + a.row_offsets[i + 1];
    const auto at = std::lower_bound(begin, end, i);
    const T value = at != end && *at == i ? a.values[at - a.columns.begin()] : T(0);
    const auto size = std::abs(value);
    if (!(size > 0) || !std::isfinite(size)) {
      throw NumericalError(fmt::format("Jacobi preconditioner: the diagonal of row {} is {}", i,
                                       size > 0 || size == 0 ? fmt::format("{}", size) : "not a number"));
    }
    d[i] = T(1) / value;
  }
  return d;
}

template std::vector<Complex> inverse_diagonal(const Csr<Complex>&);
template std::vector<ComplexF> inverse_diagonal(const Csr<ComplexF>&);

}  // namespace curlew::linalg
