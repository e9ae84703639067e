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

CoupledColumns::CoupledColumns(const linalg::SharedMatrix<Complex>& a, const Woodbury& inverse,
                               const Matrix& b, Matrix& x, Substitute substitute)
    : a_(a), inverse_(inverse), b_(b), x_(x), substitute_(std::move(substitute)) {}

/// B - (A + F K Lᵀ) X. @param[out] sizes [columns] ||r|| / ||b||, ||r|| for b = 0
Matrix CoupledColumns::residual_of(const Matrix& x, double* sizes) const {
  const auto& [loads, rows, coupling] = inverse_.terms();
  Matrix r(x.rows(), x.cols());
  a_.multiply(x.data(), r.data(), Index(x.cols()));
  r = b_ - r;
  r -= loads * Matrix(coupling * (rows.transpose() * x));
  for (Eigen::Index c = 0; c < r.cols(); ++c) {
    const double size = b_.col(c).norm();
    sizes[c] = r.col(c).norm() / (size > 0 ? size : 1);
  }
  return r;
}

void CoupledColumns::start(double* residuals) {
  r_ = residual_of(x_, residuals);
}

void CoupledColumns::try_correction(double* residuals, double* corrections) {
  Matrix y(r_.rows(), r_.cols());
  substitute_(r_.data(), y.data(), Index(r_.cols()));
  trial_ = inverse_.coupled(y);
  for (Eigen::Index c = 0; c < x_.cols(); ++c) {
    const double size = x_.col(c).norm();
    corrections[c] = size > 0 ? trial_.col(c).norm() / size : 0;
  }
  trial_ += x_;
  trial_r_ = residual_of(trial_, residuals);
}

void CoupledColumns::take(Index column) {
  x_.col(column) = trial_.col(column);
  r_.col(column) = trial_r_.col(column);
}

linalg::LargestOfColumn CoupledColumns::largest(Index column) const {
  const auto of = [column](const Matrix& m) { return m.col(column).cwiseAbs().maxCoeff(); };
  return {of(x_), of(b_), of(r_)};
}

}  // namespace curlew::fem
