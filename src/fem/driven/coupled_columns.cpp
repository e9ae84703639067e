// SPDX-License-Identifier: BSD-3-Clause
#include "fem/driven/coupled_columns.hpp"

#include <utility>

#include "fem/driven/scattering.hpp"
#include "linalg/dense/tall_products.hpp"

namespace curlew::fem {

using Matrix = Eigen::MatrixXcd;

Woodbury::Woodbury(PortTerms terms, Matrix of_loads)
    : terms_(std::move(terms)),
      of_loads_(std::move(of_loads)),
      amplitudes_(terms_.rows.transpose() * of_loads_) {}

Matrix Woodbury::coupled(const Matrix& y) const {
  const Matrix v = coupled_amplitudes(amplitudes_, terms_.coupling, terms_.rows.transpose() * y);
  return y - linalg::combine_columns(of_loads_, terms_.coupling * v);
}

linalg::RefinedSystem<Complex> coupled_system(const linalg::RefinedSystem<Complex>& of_a,
                                              const Woodbury& inverse) {
  using Columns = Eigen::Map<const Matrix>;
  linalg::RefinedSystem<Complex> system = of_a;
  system.multiply = [&](const Complex* x, Complex* y, Index n) {
    const auto& [loads, rows, coupling] = inverse.terms();
    of_a.multiply(x, y, n);
    Eigen::Map<Matrix>(y, of_a.num_rows, n) +=
        loads * Matrix(coupling * (rows.transpose() * Columns(x, of_a.num_rows, n)));
  };
  system.substitute = [&](const Complex* r, Complex* z, Index n) {
    of_a.substitute(r, z, n);
    Eigen::Map<Matrix> y(z, of_a.num_rows, n);
    y = inverse.coupled(y);
  };
  return system;
}

}  // namespace curlew::fem
