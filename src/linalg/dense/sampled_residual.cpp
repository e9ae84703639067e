// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/dense/sampled_residual.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace curlew::linalg {

SampledResidual::SampledResidual(const DenseMatrix& a, const Complex* b, int num_rhs)
    : size_(std::size_t(a.rows())),
      rows_(std::min<std::size_t>(size_, 64)),
      num_rhs_(num_rhs),
      kept_(rows_ * size_),
      right_(rows_ * std::size_t(num_rhs)),
      norms_(std::size_t(num_rhs)) {
#pragma omp parallel for
  for (std::size_t j = 0; j < size_; ++j)
    for (std::size_t s = 0; s < rows_; ++s) kept_[s + j * rows_] = a(Offset(row_of(s)), Offset(j));
#pragma omp parallel for
  for (int c = 0; c < num_rhs_; ++c) {
    const Complex* f = b + std::size_t(c) * size_;
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += std::norm(f[i]);
    norms_[std::size_t(c)] = std::sqrt(sum);
    for (std::size_t s = 0; s < rows_; ++s) right_[s + std::size_t(c) * rows_] = f[row_of(s)];
  }
}

double SampledResidual::of(const Complex* x) const {
  double worst = 0;
  bool sound = true;
#pragma omp parallel for reduction(max : worst) reduction(&& : sound)
  for (int c = 0; c < num_rhs_; ++c) {
    std::vector<Complex> r(right_.begin() + Offset(c) * Offset(rows_),
                           right_.begin() + Offset(c + 1) * Offset(rows_));
    for (std::size_t j = 0; j < size_; ++j) {
      const Complex value = x[std::size_t(c) * size_ + j];
      for (std::size_t s = 0; s < rows_; ++s) r[s] -= kept_[s + j * rows_] * value;
    }
    double sum = 0;
    for (const Complex v : r) sum += std::norm(v);
    sound = sound && std::isfinite(sum);
    if (norms_[std::size_t(c)] > 0)
      worst = std::max(worst, std::sqrt(sum * double(size_) / double(rows_)) / norms_[std::size_t(c)]);
  }
  if (!sound) throw NumericalError("the solution of the dense system is not finite");
  return worst;
}

double norm1(const DenseMatrix& a) {
  double largest = 0;
  bool sound = true;
#pragma omp parallel for reduction(max : largest) reduction(&& : sound)
  for (Offset j = 0; j < a.cols(); ++j) {
    double sum = 0;
    for (Offset i = 0; i < a.rows(); ++i)
      sum += std::sqrt(std::norm(a(i, j)));  // hypot takes ten times as long
    largest = std::max(largest, sum);
    sound = sound && std::isfinite(sum);
  }
  if (!sound) throw NumericalError("the dense matrix contains values that are not finite");
  return largest;
}

}  // namespace curlew::linalg
