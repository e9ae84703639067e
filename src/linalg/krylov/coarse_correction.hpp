// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Correction of an iteration step in a space of few functions, one source for both backends. Included by the
// file of each backend.

#include <memory>

#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// z += Z E^-1 Z' (r - A z), in the memory of the backend.
template <class B>
class CoarseCorrection {
 public:
  using V = complex<double>;
  using Operator = typename B::template Operator<double>;
  using Vector = typename B::template Vector<double>;

  std::shared_ptr<const Operator> matrix;  ///< A
  std::unique_ptr<Operator> basis, dual;   ///< Z, Z'
  const Operator* inverse = nullptr;       ///< E^-1; null: no correction

  /// Z of n columns.
  void apply(B& backend, const V* r, Offset ldr, V* z, Offset ldz, Index n) {
    const Offset rows = matrix->size(), functions = inverse->size();
    V* const fine = room(backend, fine_, rows * n);
    V* const few = room(backend, few_, functions * n);
    V* const solved = room(backend, solved_, functions * n);
    backend.apply_many(*matrix, static_cast<const V*>(z), ldz, fine, rows, n);
    backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / rows;
      fine[i] = r[column * ldr + i - column * rows] - fine[i];
    });
    backend.apply_many(*dual, static_cast<const V*>(fine), rows, few, functions, n);
    backend.apply_many(*inverse, static_cast<const V*>(few), functions, solved, functions, n);
    backend.apply_many(*basis, static_cast<const V*>(solved), functions, fine, rows, n);
    backend.sweep(rows * n, [=] CURLEW_LAMBDA(Offset i, Sum*) {
      const Offset column = i / rows;
      z[column * ldz + i - column * rows] += fine[i];
    });
  }

  static V* room(B& backend, Vector& v, Offset size) {
    if (Offset(v.size()) < size) v = backend.template vector<double>(size);
    return v.data();
  }

 private:
  Vector fine_, few_, solved_;  // [n, columns], [functions, columns]
};

}  // namespace curlew::linalg
