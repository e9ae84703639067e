// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/csr_rows.hpp"

namespace curlew::linalg {

template <class T>
Csr<T> congruent(const Csr<double>& a, const Csr<T>& b) {
  const Csr<double> transposed = transpose(a);
  const auto each = [](const auto& m, Index row, const auto& visit) {
    for (Offset k = m.row_offsets[std::size_t(row)]; k < m.row_offsets[std::size_t(row) + 1]; ++k)
      visit(m.columns[std::size_t(k)], m.values[std::size_t(k)]);
  };
  return make_rows<T>(a.num_cols, a.num_cols, [&](Index r, std::vector<RowEntry<T>>& row) {
    each(transposed, r, [&](Index i, double left) {
      each(b, i, [&](Index j, T value) {
        each(a, j, [&](Index c, double right) { row.emplace_back(c, left * value * right); });
      });
    });
  });
}
template Csr<double> congruent(const Csr<double>&, const Csr<double>&);
template Csr<Complex> congruent(const Csr<double>&, const Csr<Complex>&);

}  // namespace curlew::linalg
