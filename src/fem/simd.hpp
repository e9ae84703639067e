// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Eight doubles as one value, by the vector extension of GCC and Clang: one AVX-512 register, two of AVX2.

#include <cstring>

namespace curlew::fem {

using Double8 __attribute__((vector_size(64))) = double;
inline constexpr int simd_width = 8;

// By pointer, as passing vectors by value changes with the instruction set.
inline void load(const double* from, Double8* to) {
  std::memcpy(to, from, sizeof(Double8));
}
inline void store(const Double8* from, double* to) {
  std::memcpy(to, from, sizeof(Double8));
}

}  // namespace curlew::fem
