// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/footprint.hpp"

namespace curlew::linalg {

double crs_footprint(Offset nnz, Index rows, std::size_t w) {
  return double(w) * nnz + 4.0 * (double(nnz) + rows);
}

double ell_r_footprint(Index longest, Index rows, Index padded_rows, std::size_t w) {
  const double stored = double(longest) * padded_rows;
  return double(w) * stored + 4.0 * (stored + rows);
}

}  // namespace curlew::linalg
