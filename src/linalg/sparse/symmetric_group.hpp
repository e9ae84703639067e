// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The product of one group of rows of a symmetric matrix: G rows times their common columns, and the
// transposed block.

#include <complex>

#include "base/types.hpp"

namespace curlew::linalg {

/// A complex number as a SIMD vector: the compiler does not vectorise the scalar form.
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

/// The entries a_ij of G rows and `count` columns: adds sum_j a_ij x_j to sums[i], and sum_i a_ij x_i to
/// target[j - first]. @param values [count, G] @param x_rows [G] the x of the rows
template <int G, class R>
void multiply_columns(Offset count, const Index* columns, const std::complex<R>* values,
                      const std::complex<R>* x, const V2<R>* x_rows, V2<R>* sums, std::complex<R>* target,
                      Index first) {
  // Real and imaginary parts of one factor times the whole other one: no shuffles but for the last.
  V2<R> re[G]{}, im[G]{}, xr[G], xi[G];
  for (int i = 0; i < G; ++i) xr[i] = V2<R>{x_rows[i][0], x_rows[i][0]};
  for (int i = 0; i < G; ++i) xi[i] = V2<R>{x_rows[i][1], x_rows[i][1]};
  for (Offset k = 0; k < count; ++k) {
    const Index j = columns[k];
    const V2<R> xj = load(x + j), xjr{xj[0], xj[0]}, xji{xj[1], xj[1]};
    V2<R> tr{}, ti{};
    for (int i = 0; i < G; ++i) {
      const V2<R> a = load(values + k * G + i);
      re[i] += a * xjr;
      im[i] += a * xji;
      tr += a * xr[i];
      ti += a * xi[i];
    }
    std::complex<R>* const to = target + (j - first);
    store<R>(to, load(to) + tr + times_j<R>(ti));
  }
  for (int i = 0; i < G; ++i) sums[i] += re[i] + times_j<R>(im[i]);
}

/// The same for real entries.
template <int G, class R>
void multiply_columns(Offset count, const Index* columns, const R* values, const std::complex<R>* x,
                      const V2<R>* x_rows, V2<R>* sums, std::complex<R>* target, Index first) {
  V2<R> sum[G]{}, xi[G];
  for (int i = 0; i < G; ++i) xi[i] = x_rows[i];
  for (Offset k = 0; k < count; ++k) {
    const Index j = columns[k];
    const V2<R> xj = load(x + j);
    V2<R> t{};
    for (int i = 0; i < G; ++i) {
      const R a = values[k * G + i];
      sum[i] += a * xj;
      t += a * xi[i];
    }
    std::complex<R>* const to = target + (j - first);
    store<R>(to, load(to) + t);
  }
  for (int i = 0; i < G; ++i) sums[i] += sum[i];
}

/// A complete group: its diagonal block, its columns before `split` (of this part, in y from row 0) and after
/// it (of later parts, in the buffer from row `end`).
template <int G, class R, class Value>
void multiply_group(Index row, Offset split, Offset count, const Index* columns, const Value* values,
                    const std::complex<R>* x, std::complex<R>* y, std::complex<R>* buffer, Index end) {
  V2<R> x_rows[G], sums[G];
  for (int i = 0; i < G; ++i) x_rows[i] = load(x + row + i), sums[i] = load(y + row + i);
  for (int i = 0; i < G; ++i)
    for (int j = 0; j < G; ++j) {
      const std::complex<R> a(values[i * G + j]);
      sums[i] += a.real() * x_rows[j] + a.imag() * times_j<R>(x_rows[j]);
    }
  values += G * G;
  multiply_columns<G>(split, columns, values, x, x_rows, sums, y, 0);
  if (split < count)
    multiply_columns<G>(count - split, columns + split, values + split * G, x, x_rows, sums, buffer, end);
  for (int i = 0; i < G; ++i) store<R>(y + row + i, sums[i]);
}

}  // namespace curlew::linalg
