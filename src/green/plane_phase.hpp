// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// exp(jk u.r) of a point r and a direction u: the exponential of all far fields. V is double on host and
// device, or a vector of doubles (base of the SIMD loops).

#include "green/elementary.hpp"

namespace curlew::green {

/// cos and sin of u.(kr). Error 1e-16 |kr|. @param x, y, z of u @param kx, ky, kz of k r [rad]
template <class V>
CURLEW_HD void plane_phase(V x, V y, V z, V kx, V ky, V kz, V& sine, V& cosine) {
  sincos<double>(V(x * kx + y * ky + z * kz), sine, cosine);
}

}  // namespace curlew::green
