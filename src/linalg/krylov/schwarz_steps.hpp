// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Schwarz's preconditioner around a factorised block-diagonal matrix, one text for both backends. Included by
// the file of each backend.

#include <memory>

#include "linalg/krylov/subdomains.hpp"
#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// Where the arrays of Subdomains lie in the memory of the backend.
struct SubdomainView {
  Offset rows_of_a = 0, extended = 0;
  const Index *rows = nullptr, *places = nullptr;
  const Offset* offsets = nullptr;
  const double *into = nullptr, *out = nullptr;
};

/// What corrects a Schwarz step in its coarse space; see coarse_space.hpp. In the memory of the backend.
template <class Operator>
struct CoarseCorrection {
  std::unique_ptr<Operator> matrix, basis, dual;  ///< A, Z, Z^H
  std::unique_ptr<Operator> inverse;              ///< E^-1
};

template <class B>
class SchwarzSteps {
 public:
  using V = complex<double>;
  using Operator = typename B::template Operator<double>;

  /// Z = R^T W_out inverse W_in R for n columns. @param inverse of the block-diagonal matrix
  void apply(B& backend, const SubdomainView& s, const Operator& inverse, const V* r, Offset ldr, V* z,
             Offset ldz, Index n) {
    V* const right = room(backend, right_, s.extended * n);
    V* const left = room(backend, left_, s.extended * n);
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

  /// Z = M R + Z_c E^-1 Z_c^H (R - A M R), M the step above.
  void apply_corrected(B& backend, const SubdomainView& s, const Operator& inverse,
                       const CoarseCorrection<Operator>& coarse, const V* r, Offset ldr, V* z, Offset ldz,
                       Index n) {
    const Offset rows = s.rows_of_a, functions = coarse.inverse->size();
    V* const fine = room(backend, fine_, rows * n);
    V* const few = room(backend, few_, functions * n);
    V* const solved = room(backend, solved_, functions * n);
    apply(backend, s, inverse, r, ldr, z, ldz, n);
    backend.apply_many(*coarse.matrix, static_cast<const V*>(z), ldz, fine, rows, n);
    backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / rows;
      fine[i] = r[column * ldr + i - column * rows] - fine[i];
    });
    backend.apply_many(*coarse.dual, static_cast<const V*>(fine), rows, few, functions, n);
    backend.apply_many(*coarse.inverse, static_cast<const V*>(few), functions, solved, functions, n);
    backend.apply_many(*coarse.basis, static_cast<const V*>(solved), functions, fine, rows, n);
    backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / rows;
      z[column * ldz + i - column * rows] += fine[i];
    });
  }

  /// G <- (1 - M A) G for n columns, `times` times: what the iteration leaves of its errors G.
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
    right_ = {}, left_ = {};  // were for many columns
  }

 private:
  using Vector = typename B::template Vector<double>;
  static V* room(B& backend, Vector& v, Offset size) {
    if (Offset(v.size()) < size) v = backend.template vector<double>(size);
    return v.data();
  }

  Vector right_, left_;         // [extended, columns]
  Vector fine_, few_, solved_;  // [n, columns], [functions, columns]
};

}  // namespace curlew::linalg
