// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Hankel functions of whole arrays on the CPU, eight arguments at a time.

#include "base/types.hpp"

namespace curlew::green {

/// H0(2)(x[i]), and H1(2)(x[i]) where h1 is not null.
/// @param x [n] arguments, 0 < x < 1e8
void hankel2(const double* x, Offset n, Complex* h0, Complex* h1 = nullptr);
/// @param z [n] arguments, Im z <= 0, z != 0
void hankel2(const Complex* z, Offset n, Complex* h0, Complex* h1);

}  // namespace curlew::green
