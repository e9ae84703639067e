// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/basis_change.hpp"

#include <algorithm>

namespace curlew::ie {

linalg::Csr<Complex> BasisTransform::gather() const {
  const Index n = expand.num_rows;
  linalg::Coo<Complex> out;
  out.num_rows = n, out.num_cols = n + num_potentials();
  for (Index i = 0; i < n; ++i) out.add(i, i, signs[i]);
  for (Index p = 0; p < charges.num_rows; ++p)
    for (Offset e = charges.row_offsets[p]; e < charges.row_offsets[p + 1]; ++e)
      out.add(charges.columns[e], n + p, signs[charges.columns[e]] * charges.values[e]);
  return linalg::to_csr(out);
}

BasisChange::BasisChange(const BasisTransform& basis)
    : expand_(basis.expand),
      transposed_(linalg::transpose(basis.expand)),
      charges_(basis.charges),
      gather_(basis.gather()),
      laplacian_(basis.num_potentials(), linalg::DirectOptions()),
      long_(std::size_t(expand_.num_cols)),
      potentials_(std::size_t(basis.num_potentials())) {
  laplacian_.factor(basis.laplacian);
}

void BasisChange::expand(const Complex* z, Complex* x) const {
  linalg::multiply(charges_, z, potentials_.data());
  std::copy(z, z + size(), long_.begin());
  laplacian_.apply(potentials_.data(), &long_[std::size_t(size())]);
  linalg::multiply(expand_, long_.data(), x);
}

void BasisChange::test(const Complex* r, Complex* z) const {
  linalg::multiply(transposed_, r, long_.data());
  const auto tail = long_.begin() + size();
  std::copy(tail, long_.end(), potentials_.begin());
  laplacian_.apply(potentials_.data(), &*tail);
  linalg::multiply(gather_, long_.data(), z);
}

}  // namespace curlew::ie
