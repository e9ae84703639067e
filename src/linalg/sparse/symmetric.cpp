// SPDX-License-Identifier: BSD-3-Clause
#include "linalg/sparse/symmetric.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>

#include "base/error.hpp"

namespace curlew::linalg {
namespace {

/// A complex number as a vector of the machine: the compiler leaves the scalar form unvectorised.
template <class R>
struct Pair {
  typedef R type __attribute__((vector_size(2 * sizeof(R))));
};
template <class R>
using V2 = typename Pair<R>::type;

template <class R>
V2<R> load(const std::complex<R>* p) {
  V2<R> v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
template <class R>
void store(std::complex<R>* p, V2<R> v) {
  __builtin_memcpy(static_cast<void*>(p), &v, sizeof v);
}
/// j z
template <class R>
V2<R> times_j(V2<R> z) {
  return V2<R>{-z[1], z[0]};
}

/// Entries [begin, end) of row i, right of the diagonal: adds a_ij x_i to target[j - first] and returns sum_j
/// a_ij x_j.
template <class R, class Value>
V2<R> sweep_row(Offset begin, Offset end, const Index* columns, const Value* values, const std::complex<R>* x,
                V2<R> xi, std::complex<R>* target, Index first) {
  const V2<R> jxi = times_j<R>(xi);
  V2<R> re{}, im{};  // two sums: their chains of additions run side by side
  for (Offset k = begin; k < end; ++k) {
    const Index j = columns[k];
    const V2<R> xj = load(x + j);
    std::complex<R>* const to = target + (j - first);
    if constexpr (std::is_same_v<Value, R>) {
      re += values[k] * xj;
      store<R>(to, load(to) + values[k] * xi);
    } else {
      const R a = values[k].real(), b = values[k].imag();
      re += a * xj;
      im += b * xj;
      store<R>(to, load(to) + a * xi + b * jxi);
    }
  }
  return re + times_j<R>(im);
}

}  // namespace

template <class R>
SymmetricCrs<R>::SymmetricCrs(const Csr<T>& a) : num_rows_(a.num_rows) {
  if (a.num_rows != a.num_cols) throw InputError("symmetric storage: the matrix is not square");
  if (asymmetry(a) != 0) throw InputError("symmetric storage: the matrix differs from its transpose");
  row_offsets_.assign(1, 0);
  for (Index i = 0; i < num_rows_; ++i) {
    for (Offset k = a.row_offsets[i]; k < a.row_offsets[i + 1]; ++k) {
      if (a.columns[k] < i) continue;
      columns_.push_back(a.columns[k]);
      values_.push_back(a.values[k]);
    }
    row_offsets_.push_back(Offset(columns_.size()));
  }
  if (std::all_of(values_.begin(), values_.end(), [](T z) { return z.imag() == 0; })) {
    for (const T z : values_) real_values_.push_back(z.real());
    values_.clear();
    values_.shrink_to_fit();
  }
}

template <class R>
std::size_t SymmetricCrs<R>::stored_bytes() const {
  return values_.size() * sizeof(T) + real_values_.size() * sizeof(R) + columns_.size() * sizeof(Index) +
         row_offsets_.size() * sizeof(Offset);
}

template <class R>
void SymmetricCrs<R>::plan(int threads) {
  if (int(part_end_.size()) == threads) return;
  part_rows_.assign(1, 0);
  part_end_.clear();
  part_buffers_.assign(threads, {});
  for (int p = 0; p < threads; ++p) {
    const Offset share = row_offsets_.back() * (p + 1) / threads;
    const auto at = std::lower_bound(row_offsets_.begin(), row_offsets_.end(), share);
    part_rows_.push_back(p + 1 == threads ? num_rows_
                                          : std::max(part_rows_.back(), Index(at - row_offsets_.begin())));
    const Index end = part_rows_[p + 1];
    Index last = end;
    for (Offset k = row_offsets_[part_rows_[p]]; k < row_offsets_[end]; ++k)
      last = std::max(last, columns_[k] + 1);
    part_end_.push_back(last);
    part_buffers_[p].resize(last - end);
  }
}

template <class R>
void SymmetricCrs<R>::multiply_rows(int part, const T* x, T* y) {
  const Index begin = part_rows_[part], end = part_rows_[part + 1];
  std::fill(y + begin, y + end, T(0));
  std::fill(part_buffers_[part].begin(), part_buffers_[part].end(), T(0));
  T* const buffer = part_buffers_[part].data();
  const auto sweep = [&](Offset k, Offset stop, V2<R> xi, T* target, Index first) {
    return real_values_.empty()
               ? sweep_row<R>(k, stop, columns_.data(), values_.data(), x, xi, target, first)
               : sweep_row<R>(k, stop, columns_.data(), real_values_.data(), x, xi, target, first);
  };
  for (Index i = begin; i < end; ++i) {
    Offset k = row_offsets_[i];
    const Offset stop = row_offsets_[i + 1];
    const V2<R> xi = load(x + i);
    V2<R> sum{};
    if (k < stop && columns_[k] == i) {
      const T a = real_values_.empty() ? values_[k] : T(real_values_[k]);
      sum = a.real() * xi + a.imag() * times_j<R>(xi);
      ++k;
    }
    Offset split = stop;  // columns ascend: those of later parts stand at the end
    while (split > k && columns_[split - 1] >= end) --split;
    sum += sweep(k, split, xi, y, 0);
    if (split < stop) sum += sweep(split, stop, xi, buffer, end);
    store<R>(y + i, load(y + i) + sum);
  }
}

template <class R>
void SymmetricCrs<R>::multiply(const T* x, T* y) {
  plan(omp_get_max_threads());
  const int parts = int(part_end_.size());
#pragma omp parallel for schedule(static, 1)
  for (int p = 0; p < parts; ++p) multiply_rows(p, x, y);
  for (int p = 0; p < parts; ++p) {
    const Index begin = part_rows_[p + 1];
#pragma omp parallel for schedule(static)
    for (Index i = begin; i < part_end_[p]; ++i) y[i] += part_buffers_[p][i - begin];
  }
}

template class SymmetricCrs<double>;
template class SymmetricCrs<float>;

}  // namespace curlew::linalg
