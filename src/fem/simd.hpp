// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A SIMD vector of doubles, by the vector extension of GCC and Clang.

#include <cstring>

#include "base/vector_width.hpp"

namespace curlew::fem {

using Doubles __attribute__((vector_size(vector_bytes))) = double;
inline constexpr int simd_width = vector_bytes / int(sizeof(double));

// By pointer, since the calling convention of vectors depends on the instruction set.
inline void load(const double* from, Doubles* to) {
  std::memcpy(to, from, sizeof(Doubles));
}
inline void store(const Doubles* from, double* to) {
  std::memcpy(to, from, sizeof(Doubles));
}

}  // namespace curlew::fem
