// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A sum of terms of each kind for the tests of this folder, added entry by entry.

#include <algorithm>
#include <vector>

#include "test_matrices.hpp"

namespace curlew::linalg {

/// Symmetric terms: whole and real, a list, whole and complex, a few rows alone.
struct TestSum {
  inline static const std::vector<std::vector<Complex>> factors{
      {1.0, 1.0, {0.3, -0.1}, {2, 1}}, {{1, 0.2}, 2.0, -0.4, 0.5}, {0.5, {0, -1}, 1.0, {0, 3}}};
  std::vector<Csr<Complex>> terms;

  explicit TestSum(Index n) {
    const auto whole = helmholtz_like(n, 2, 0);
    auto diagonal = helmholtz_like(n, 2, {-3, 0.7});
    for (std::size_t k = 0; k < diagonal.values.size(); ++k) diagonal.values[k] -= whole.values[k];
    terms = {whole, diagonal, helmholtz_like(n, 2, {1, -0.5}), first_rows(whole, 5)};
  }

  Csr<Complex> pattern() const {
    auto a = terms[0];
    a.values.assign(a.values.size(), Complex(7));
    return a;
  }
  Csr<Complex> matrix(const std::vector<Complex>& g) const {
    auto a = terms[0];
    for (std::size_t i = 0; i < std::size_t(a.num_rows); ++i)
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
        Complex& sum = a.values[std::size_t(k)];
        sum = 0;
        for (std::size_t t = 0; t < terms.size(); ++t) {
          const Offset place = terms[t].row_offsets[i] + k - a.row_offsets[i];
          if (place < terms[t].row_offsets[i + 1]) sum += g[t] * terms[t].values[std::size_t(place)];
        }
      }
    return a;
  }

 private:
  /// The first rows of a, with ones on their diagonal.
  static Csr<Complex> first_rows(const Csr<Complex>& a, std::size_t count) {
    Csr<Complex> part{a.num_rows, a.num_cols, a.row_offsets, {}, {}};
    const Offset end = a.row_offsets[count];
    part.columns.assign(a.columns.begin(), a.columns.begin() + end);
    part.values.assign(std::size_t(end), Complex(0));
    for (std::size_t i = 0; i < count; ++i)
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k)
        if (a.columns[std::size_t(k)] == Index(i)) part.values[std::size_t(k)] = 1;
    for (Offset& offset : part.row_offsets) offset = std::min(offset, end);
    return part;
  }
};

}  // namespace curlew::linalg
