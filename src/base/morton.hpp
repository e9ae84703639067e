// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Morton codes: numbers that interleave the bits of three coordinates.

#include <cstdint>

namespace curlew {

/// The lower 21 bits of a number, two zeros after each.
constexpr std::uint64_t spread_bits(std::uint64_t n) {
  n &= 0x1fffff;
  n = (n | n << 32) & 0x1f00000000ffff;
  n = (n | n << 16) & 0x1f0000ff0000ff;
  n = (n | n << 8) & 0x100f00f00f00f00f;
  n = (n | n << 4) & 0x10c30c30c30c30c3;
  return (n | n << 2) & 0x1249249249249249;
}

}  // namespace curlew
