// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace curlew {

/// Bytes of the vectors of the processor that the build is for. GCC splits wider ones in memory, which takes
/// several times as long: loops are written for any width.
#if defined(__AVX512F__)
inline constexpr int vector_bytes = 64, vector_registers = 32;
#elif defined(__AVX__)
inline constexpr int vector_bytes = 32, vector_registers = 16;
#else
inline constexpr int vector_bytes = 16, vector_registers = 16;
#endif

}  // namespace curlew
