// SPDX-License-Identifier: BSD-3-Clause
#include "green/hankel_batch.hpp"

#include <algorithm>

#include "green/hankel.hpp"

namespace curlew::green {
namespace {

constexpr int lanes = double_lanes;

void store(const Parts<VecD>& h, Offset count, Complex* out) {
  for (int i = 0; i < count; ++i) out[i] = {h.re[i], h.im[i]};
}

}  // namespace

void hankel2(const double* x, Offset n, Complex* h0, Complex* h1) {
  for (Offset i = 0; i < n; i += lanes) {
    const Offset count = std::min<Offset>(lanes, n - i);
    VecD argument = VecD{} + 1.0;
    std::memcpy(&argument, x + i, std::size_t(count) * sizeof(double));
    if (h1 == nullptr) {
      store(hankel2_0(argument), count, h0 + i);
    } else {
      const auto h = hankel2(argument);
      store(h.h0, count, h0 + i);
      store(h.h1, count, h1 + i);
    }
  }
}

void hankel2(const Complex* z, Offset n, Complex* h0, Complex* h1) {
  for (Offset i = 0; i < n; i += lanes) {
    const Offset count = std::min<Offset>(lanes, n - i);
    Parts<VecD> argument{VecD{} + 1.0, VecD{}};
    for (int l = 0; l < count; ++l) argument.re[l] = z[i + l].real(), argument.im[l] = z[i + l].imag();
    const auto h = hankel2(argument);
    store(h.h0, count, h0 + i);
    if (h1 != nullptr) store(h.h1, count, h1 + i);
  }
}

}  // namespace curlew::green
