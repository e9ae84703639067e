// SPDX-License-Identifier: BSD-3-Clause
#include "ie/operator/recycled_starts.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::ie {
namespace {

/// a^H b.
Complex inner(const Complex* a, const Complex* b, std::size_t n) {
  double re = 0, im = 0;
#pragma omp parallel for reduction(+ : re, im)
  for (std::size_t i = 0; i < n; ++i) {
    re += a[i].real() * b[i].real() + a[i].imag() * b[i].imag();
    im += a[i].real() * b[i].imag() - a[i].imag() * b[i].real();
  }
  return {re, im};
}

/// y += c x.
void add_scaled(Complex c, const Complex* x, Complex* y, std::size_t n) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) y[i] += c * x[i];
}

}  // namespace

void RecycledStarts::guess(const Complex* b, Complex* x) const {
  std::fill(x, x + n_, Complex());
  for (std::size_t i = 0; i < products_.size(); ++i)
    add_scaled(inner(products_[i].data(), b, n_), solutions_[i].data(), x, n_);
}

void RecycledStarts::add(const Complex* x, const Complex* product) {
  if (most_ == 0) return;
  Vector solution(x, x + n_), image(product, product + n_);
  const double before = std::sqrt(inner(image.data(), image.data(), n_).real());
  for (int pass = 0; pass < 2; ++pass) {
    for (std::size_t i = 0; i < products_.size(); ++i) {
      const Complex c = inner(products_[i].data(), image.data(), n_);
      add_scaled(-c, products_[i].data(), image.data(), n_);
      add_scaled(-c, solutions_[i].data(), solution.data(), n_);
    }
  }
  const double after = std::sqrt(inner(image.data(), image.data(), n_).real());
  if (!(after > 1e-8 * before)) return;  // nothing new
  for (std::size_t i = 0; i < n_; ++i) solution[i] /= after, image[i] /= after;
  if (products_.size() == most_) solutions_.erase(solutions_.begin()), products_.erase(products_.begin());
  solutions_.push_back(std::move(solution)), products_.push_back(std::move(image));
}

}  // namespace curlew::ie
