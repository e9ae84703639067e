// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Schwarz's preconditioner around a factorised block-diagonal matrix, one source for both backends. Included
// by the file of each backend.

#include "linalg/krylov/coarse_correction.hpp"
#include "linalg/krylov/subdomains.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// Pointers to the arrays of Subdomains in the memory of the backend.
struct SubdomainView {
  Offset rows_of_a = 0, extended = 0;
  const Index *rows = nullptr, *places = nullptr;
  const Offset* offsets = nullptr;
  const double *into = nullptr, *out = nullptr;
};

template <class B>
class SchwarzSteps {
 public:
  using V = complex<double>;
  using Operator = typename B::template Operator<double>;

  /// Z = R^T W_out inverse W_in R for n columns. @param inverse of the block-diagonal matrix
  void apply(B& backend, const SubdomainView& s, const Operator& inverse, const V* r, Offset ldr, V* z,
             Offset ldz, Index n) {
    V* const right = CoarseCorrection<B>::room(backend, right_, s.extended * n);
    V* const left = CoarseCorrection<B>::room(backend, left_, s.extended * n);
    const Offset extended = s.extended, rows = s.rows_of_a;
    backend.sweep(extended * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / extended, k = i - column * extended;
      right[i] = s.into[k] * r[column * ldr + s.rows[k]];
    });
    backend.apply_many(inverse, static_cast<const V*>(right), extended, left, extended, n);
    backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / rows, row = i - column * rows;
      V sum;
      for (Offset p = s.offsets[row]; p < s.offsets[row + 1]; ++p)
        sum += s.out[s.places[p]] * left[column * extended + s.places[p]];
      z[column * ldz + row] = sum;
    });
  }

  /// G <- (1 - M A) G for n columns, `times` times: applies iteration steps to errors G.
  void propagate(B& backend, const SubdomainView& s, const Operator& inverse, const Operator& a, V* g,
                 Index n, int times) {
    const Offset rows = s.rows_of_a;
    typename B::template Vector<double> image = backend.template vector<double>(rows * n),
                                        step = backend.template vector<double>(rows * n);
    const V* const taken = step.data();
    for (int t = 0; t < times; ++t) {
      backend.apply_many(a, static_cast<const V*>(g), rows, image.data(), rows, n);
      apply(backend, s, inverse, image.data(), rows, step.data(), rows, n);
      backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) { g[i] -= taken[i]; });
    }
    right_ = {}, left_ = {};  // previous buffers
  }

 private:
  using Vector = typename B::template Vector<double>;
  Vector right_, left_;  // [extended, columns]
};

}  // namespace curlew::linalg
