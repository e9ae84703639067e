// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace curlew {

/// Bytes of the SIMD vectors of the target processor. GCC emulates wider ones in memory, several times
/// slower: loops are written for any width.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64, vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32, vector_registers = 16;
#else
inline constexpr int vector_bytes = 16, vector_registers = 16;
#endif

}  // namespace curlew
