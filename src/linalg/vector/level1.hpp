// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Level-1 operations on vectors of either backend; results of reductions stay in its memory. Defined in
// level1_bodies.hpp, compiled for the host in level1.cpp and for the GPU in level1_device.cu.
// Memory traffic in vectors of n values: assign 2, scale 2, axpy 3, multiply 3, dot 2, norm 1, axpy_norm 3.

#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// y = x
template <class B, class R>
void assign(B& backend, Offset n, const complex<R>* x, complex<R>* y);
/// x = alpha x
template <class B, class R>
void scale(B& backend, Offset n, Sum alpha, complex<R>* x);
/// y = alpha x + y
template <class B, class R>
void axpy(B& backend, Offset n, Sum alpha, const complex<R>* x, complex<R>* y);
/// y_i = x_i y_i
template <class B, class R>
void multiply_elements(B& backend, Offset n, const complex<R>* x, complex<R>* y);
/// *result = sum conj(x_i) y_i
template <class B, class R>
void dot(B& backend, Offset n, const complex<R>* x, const complex<R>* y, Sum* result);
/// *result = |x|, the 2-norm, without protection against overflow of the squares
template <class B, class R>
void norm(B& backend, Offset n, const complex<R>* x, double* result);
/// y = alpha x + y and *result = |y| in one pass
template <class B, class R>
void axpy_norm(B& backend, Offset n, Sum alpha, const complex<R>* x, complex<R>* y, double* result);

}  // namespace curlew::linalg
