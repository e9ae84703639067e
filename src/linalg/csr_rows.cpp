// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/csr_rows.hpp"

namespace curlew::linalg {

template <class T>
Csr<T> congruent(const Csr<double>& a, const Csr<T>& b) {
  const Csr<double> transposed = transpose(a);
  return make_rows<T>(a.num_cols, a.num_cols, [&](Index r, std::vector<RowEntry<T>>& row) {
    append_congruent_row(transposed, b, a, r, row);
  });
}
template Csr<double> congruent(const Csr<double>&, const Csr<double>&);
template Csr<Complex> congruent(const Csr<double>&, const Csr<Complex>&);

}  // namespace curlew::linalg
