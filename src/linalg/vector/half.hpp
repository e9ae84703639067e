// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Numbers of IEEE half precision (11 bits, 6e-8 to 65,504) for storage: vectors that are read often and need
// few digits. Arithmetic is done in what they convert to.

#include <bit>
#include <cstdint>

#include "base/macros.hpp"
#ifdef __CUDACC__
#include <cuda_fp16.h>
#endif

namespace curlew::linalg {

class Half {
 public:
  Half() = default;
  /// Rounds to nearest, even; what is too large becomes the largest.
  CURLEW_HD Half(double value) : bits_(to_bits(float(value))) {}  // NOLINT: as a double becomes a float
  CURLEW_HD operator float() const { return from_bits(bits_); }   // NOLINT

  static constexpr float largest = 65504;

 private:
  CURLEW_HD static std::uint16_t to_bits(float value) {
    value = value > largest ? largest : value < -largest ? -largest : value;
#ifdef __CUDA_ARCH__
    return __half_as_ushort(__float2half_rn(value));
#else
    const auto whole = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = (whole >> 16) & 0x8000u, size = whole & 0x7fffffffu;
    if (size > 0x7f800000u) return std::uint16_t(sign | 0x7e00u);  // no number
    // Below 2^-14 halves are multiples of 2^-24, as floats from a half on: the sum rounds.
    if (size < 0x38800000u)
      return std::uint16_t(sign |
                           (std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3f000000u));
    const std::uint32_t is_odd = (size >> 13) & 1u;
    return std::uint16_t(sign | ((size - (112u << 23) + 0xfffu + is_odd) >> 13));
#endif
  }
  CURLEW_HD static float from_bits(std::uint16_t bits) {
#ifdef __CUDA_ARCH__
    return __half2float(__ushort_as_half(bits));
#else
    const std::uint32_t sign = std::uint32_t(bits & 0x8000u) << 16, size = bits & 0x7fffu;
    if (size > 0x7c00u) return std::bit_cast<float>(sign | 0x7fc00000u);
    const float value = std::bit_cast<float>(size << 13) * 0x1p112f;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(value));
#endif
  }

  std::uint16_t bits_ = 0;
};

}  // namespace curlew::linalg
