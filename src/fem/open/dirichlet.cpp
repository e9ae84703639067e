// SPDX-License-Identifier: BSD-3-Clause
#include "fem/open/dirichlet.hpp"

#include <algorithm>
#include <cmath>

#include "fem/boundary_terms.hpp"

namespace curlew::fem {
void impose_values(std::span<const Index> known, const Complex* values, Index num_rhs,
                   linalg::Csr<Complex>& a, Complex* b) {
  const auto n = std::size_t(a.num_rows);
  double scale = 0;
  for (const Index j : known) scale = std::max(scale, std::abs(entry(a, j, j)));
  for (std::size_t place = 0; place < known.size(); ++place) {
    const Index j = known[place];
    for (Offset k = a.row_offsets[std::size_t(j)]; k < a.row_offsets[std::size_t(j) + 1]; ++k) {
      const Index i = a.columns[std::size_t(k)];
      Complex& transposed = entry(a, i, j);
      for (Index r = 0; r < num_rhs; ++r)
        b[std::size_t(r) * n + std::size_t(i)] -= transposed * values[std::size_t(r) * known.size() + place];
      transposed = 0;
      a.values[std::size_t(k)] = 0;
    }
  }
  for (std::size_t place = 0; place < known.size(); ++place) {
    entry(a, known[place], known[place]) = scale;
    for (Index r = 0; r < num_rhs; ++r)
      b[std::size_t(r) * n + std::size_t(known[place])] =
          scale * values[std::size_t(r) * known.size() + place];
  }
}

}  // namespace curlew::fem
