// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/direct/shared_matrix.hpp"

#include <algorithm>
#include <cmath>

namespace curlew::linalg {
namespace {

/// A product with some vectors.
struct Multiply {
  Index columns;
};
/// Sums of the moduli of rows.
struct SumRows {};

constexpr Index columns_together = 8;  // a product reads the matrix once for so many columns

}  // namespace

template <class T>
Offset SharedMatrix<T>::count_entries() const {
  Complex count = double(own_->nnz());  // exact to 2^53
  if (is_spread()) processes_->add_up(&count, 1);
  return Offset(count.real());
}

/// Y = A X by the entries of this process.
template <class T>
void SharedMatrix<T>::multiply_own(const T* x, T* y, Index n) const {
  const Csr<T>& a = own();
  if (!is_half_) return linalg::multiply(a, x, y, n);
  std::fill_n(y, std::size_t(num_rows()) * std::size_t(n), T(0));
#pragma omp parallel for schedule(static)
  for (Index c = 0; c < n; ++c) {
    const T* from = x + Offset(c) * num_rows();
    T* to = y + Offset(c) * num_rows();
    for (Index i = 0; i < num_rows(); ++i)
      for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
        const Index j = a.columns[k];
        to[i] += a.values[k] * from[j];
        if (i != j) to[j] += a.values[k] * from[i];
      }
  }
}

/// @param x from process 0 @param y to process 0
template <class T>
void SharedMatrix<T>::multiply_jointly(T* x, T* y, Index n) const {
  if (!is_spread()) return multiply_own(x, y, n);
  if constexpr (std::is_same_v<T, Complex>) {
    const auto size = std::size_t(num_rows()) * std::size_t(n);
    processes_->broadcast(x, size * sizeof(T));
    multiply_own(x, y, n);
    processes_->add_up(y, size);
  }
}

template <class T>
void SharedMatrix<T>::multiply(const T* x, T* y, Index n) const {
  if (!is_spread()) return multiply_own(x, y, n);
  for (Index c = 0; c < n; c += columns_together) {
    const Index count = std::min(columns_together, n - c);
    const std::size_t first = std::size_t(num_rows()) * std::size_t(c);
    processes_->announce(Multiply{count});
    multiply_jointly(const_cast<T*>(x) + first, y + first, count);  // process 0 only sends x
  }
}

template <class T>
std::vector<T> SharedMatrix<T>::row_sums() const {
  const Csr<T>& a = own();
  std::vector<T> sums(std::size_t(a.num_rows));
#pragma omp parallel for schedule(static) if (!is_half_)
  for (Index i = 0; i < a.num_rows; ++i)
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      const double size = std::abs(a.values[k]);
      sums[std::size_t(i)] += size;
      if (const Index j = a.columns[k]; is_half_ && i != j) sums[std::size_t(j)] += size;
    }
  return sums;
}

template <class T>
double SharedMatrix<T>::norm_max() const {
  std::vector<T> sums = row_sums();
  if constexpr (std::is_same_v<T, Complex>) {
    if (is_spread()) {
      processes_->announce(SumRows{});
      processes_->add_up(sums.data(), sums.size());
    }
  }
  double largest = 0;
  for (const T& sum : sums) {
    if (const double size = std::abs(sum); !(size <= largest)) largest = size;  // a NaN stays
  }
  return largest;
}

template <class T>
bool SharedMatrix<T>::join(const GroupStep& step) const {
  if constexpr (std::is_same_v<T, Complex>) {
    if (step.is<SumRows>()) {
      std::vector<T> sums = row_sums();
      processes_->add_up(sums.data(), sums.size());
      return true;
    }
    if (const auto product = step.as<Multiply>()) {
      const auto size = std::size_t(num_rows()) * std::size_t(product->columns);
      std::vector<T> x(size), y(size);
      multiply_jointly(x.data(), y.data(), product->columns);
      return true;
    }
  }
  return false;
}

void keep_lower_triangle(Csr<Complex>& a) {
  Offset kept = 0, begin = 0;
  for (Index i = 0; i < a.num_rows; ++i) {
    const Offset end = a.row_offsets[i + 1];
    for (Offset k = begin; k < end && a.columns[k] <= i; ++k, ++kept)
      a.columns[kept] = a.columns[k], a.values[kept] = a.values[k];
    a.row_offsets[i + 1] = kept;
    begin = end;
  }
  a.columns = std::vector<Index>(a.columns.begin(), a.columns.begin() + kept);
  a.values = std::vector<Complex>(a.values.begin(), a.values.begin() + kept);
}

template class SharedMatrix<Complex>;
template class SharedMatrix<double>;

}  // namespace curlew::linalg
