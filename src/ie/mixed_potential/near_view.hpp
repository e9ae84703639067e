// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// View of the stored part of the operator for loops on host and device.

#include "base/column_search.hpp"
#include "ie/mixed_potential/mixed_potential.hpp"

namespace curlew::ie {

/// Plain memory, host or device.
struct NearView {
  const Offset* offsets;
  const Index* columns;
  const ElementBlock<float>* blocks;

  /// Index of s in the row of t, which must contain it.
  CURLEW_HD Offset find(Index t, Index s) const {
    return first_not_below(columns, offsets[t], offsets[t + 1], s);
  }
};

/// A_mm from the m-th row of P^T: its elements are few and all near each other.
/// @param columns, values [count] of the row @param local A_mm of the local part
CURLEW_HD complex<double> diagonal_entry(const Index* columns, const complex<double>* values, Offset count,
                                         complex<double> local, const PairInput& input, const NearView& near,
                                         complex<double> vector_factor, complex<double> scalar_factor) {
  complex<double> sum = local;
  const auto next_element = [&](Offset i, complex<double>* u) {
    for (int d = 0; d < 4; ++d) u[d] = complex<double>();
    const Index element = columns[i] / 4;
    for (; i < count && columns[i] / 4 == element; ++i) u[columns[i] % 4] = values[i];
    return i;
  };
  complex<double> test[4], source[4];
  for (Offset i = 0, after_i; i < count; i = after_i) {
    after_i = next_element(i, test);
    for (Offset j = 0, after_j; j < count; j = after_j) {
      after_j = next_element(j, source);
      const Index t = columns[i] / 4, s = columns[j] / 4;
      complex<double> result[4];
      add_block(input.by_points(t, s), vector_factor, scalar_factor, source, result);
      add_block(near.blocks[near.find(t, s)], vector_factor, scalar_factor, source, result);
      for (int d = 0; d < 4; ++d) sum += test[d] * result[d];
    }
  }
  return sum;
}

}  // namespace curlew::ie
