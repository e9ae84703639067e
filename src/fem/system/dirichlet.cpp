// SPDX-License-Identifier: BSD-3-Clause
#include "fem/system/dirichlet.hpp"

#include <algorithm>
#include <cmath>

#include "fem/boundary_terms.hpp"

namespace curlew::fem {

void KnownValues::subtract(const linalg::SharedMatrix<Complex>& a, Complex* b) const {
  const auto n = std::size_t(a.num_rows());
  std::vector<Complex> v(n * std::size_t(num_rhs)), y(v.size());
  for (std::size_t r = 0; r < std::size_t(num_rhs); ++r)
    for (std::size_t i = 0; i < known.size(); ++i)
      v[r * n + std::size_t(known[i])] = values[r * known.size() + i];
  a.multiply(v.data(), y.data(), num_rhs);
  for (std::size_t i = 0; i < y.size(); ++i) b[i] -= y[i];
}

void KnownValues::insert(const std::vector<Complex>& diagonal, Index num_rows, Complex* b) const {
  for (std::size_t r = 0; r < std::size_t(num_rhs); ++r)
    for (std::size_t i = 0; i < known.size(); ++i)
      b[r * std::size_t(num_rows) + std::size_t(known[i])] = diagonal[i] * values[r * known.size() + i];
}

std::vector<Complex> fix_unknowns(std::span<const Index> known, linalg::Csr<Complex>& a) {
  double scale = 0;
  for (const Index j : known)
    if (has_row(a, j)) scale = std::max(scale, std::abs(entry(a, j, j)));
  std::vector<char> is_known(std::size_t(a.num_rows), 0);
  for (const Index j : known) is_known[std::size_t(j)] = 1;
#pragma omp parallel for schedule(static)
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[std::size_t(i)]; k < a.row_offsets[std::size_t(i) + 1]; ++k) {
      const Index j = a.columns[std::size_t(k)];
      if (!is_known[std::size_t(i)] && !is_known[std::size_t(j)]) continue;
      a.values[std::size_t(k)] = i == j ? scale : 0;
    }
  std::vector<Complex> diagonal;
  for (const Index j : known) diagonal.push_back(has_row(a, j) ? scale : 0);
  return diagonal;
}

void impose_values(std::span<const Index> known, const Complex* values, Index num_rhs,
                   linalg::Csr<Complex>& a, Complex* b) {
  if (known.empty()) return;
  const KnownValues imposed{known, values, num_rhs};
  imposed.subtract(linalg::SharedMatrix<Complex>(a), b);
  imposed.insert(fix_unknowns(known, a), a.num_rows, b);
}

}  // namespace curlew::fem
