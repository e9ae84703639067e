// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The loops of level1.hpp, written once for both backends.

#include "linalg/vector/level1.hpp"

namespace curlew::linalg {

template <class B, class R>
void assign(B& backend, Offset n, const complex<R>* x, complex<R>* y) {
  backend.map(
      n, [=] CURLEW_LAMBDA(Offset i) { return x[i]; },
      [=] CURLEW_LAMBDA(Offset i, complex<R> z) { y[i] = z; });
}

template <class B, class R>
void scale(B& backend, Offset n, Sum alpha, complex<R>* x) {
  const complex<R> a = narrow<R>(alpha);
  backend.map(
      n, [=] CURLEW_LAMBDA(Offset i) { return a * x[i]; },
      [=] CURLEW_LAMBDA(Offset i, complex<R> z) { x[i] = z; });
}

template <class B, class R>
void axpy(B& backend, Offset n, Sum alpha, const complex<R>* x, complex<R>* y) {
  const complex<R> a = narrow<R>(alpha);
  backend.map(
      n, [=] CURLEW_LAMBDA(Offset i) { return a * x[i] + y[i]; },
      [=] CURLEW_LAMBDA(Offset i, complex<R> z) { y[i] = z; });
}

template <class B, class R>
void multiply_elements(B& backend, Offset n, const complex<R>* x, complex<R>* y) {
  backend.map(
      n, [=] CURLEW_LAMBDA(Offset i) { return x[i] * y[i]; },
      [=] CURLEW_LAMBDA(Offset i, complex<R> z) { y[i] = z; });
}

template <class B, class R>
void dot(B& backend, Offset n, const complex<R>* x, const complex<R>* y, Sum* result) {
  backend.template sweep<1>(
      n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0] += inner(x[i], y[i]); },
      [=] CURLEW_LAMBDA(const Sum* sums) { *result = sums[0]; });
}

template <class B, class R>
void norm(B& backend, Offset n, const complex<R>* x, double* result) {
  backend.template sweep<1>(
      n, [=] CURLEW_LAMBDA(Offset i, Sum * sums) { sums[0].re += square(x[i]); },
      [=] CURLEW_LAMBDA(const Sum* sums) { *result = ::sqrt(sums[0].re); });
}

template <class B, class R>
void axpy_norm(B& backend, Offset n, Sum alpha, const complex<R>* x, complex<R>* y, double* result) {
  const complex<R> a = narrow<R>(alpha);
  backend.template sweep<1>(
      n,
      [=] CURLEW_LAMBDA(Offset i, Sum * sums) {
        const complex<R> yi = a * x[i] + y[i];
        y[i] = yi;
        sums[0].re += square(yi);
      },
      [=] CURLEW_LAMBDA(const Sum* sums) { *result = ::sqrt(sums[0].re); });
}

/// Instantiates all of them for one backend and precision.
#define CURLEW_INSTANTIATE_LEVEL1(B, R)                                        \
  template void assign(B&, Offset, const complex<R>*, complex<R>*);            \
  template void scale(B&, Offset, Sum, complex<R>*);                           \
  template void axpy(B&, Offset, Sum, const complex<R>*, complex<R>*);         \
  template void multiply_elements(B&, Offset, const complex<R>*, complex<R>*); \
  template void dot(B&, Offset, const complex<R>*, const complex<R>*, Sum*);   \
  template void norm(B&, Offset, const complex<R>*, double*);                  \
  template void axpy_norm(B&, Offset, Sum, const complex<R>*, complex<R>*, double*);

}  // namespace curlew::linalg
