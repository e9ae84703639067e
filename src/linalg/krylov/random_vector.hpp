// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reproducible random numbers for vectors on host and device: each a function of its index.

#include <cstdint>

#include "linalg/vector/sums.hpp"

namespace curlew::linalg {

/// A well mixed 64-bit number. Source: Steele, Lea, Flood (2014), Fast splittable pseudorandom number
/// generators, OOPSLA, 453 (SplitMix64).
CURLEW_HD std::uint64_t mixed_bits(std::uint64_t i) {
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Entry i of a vector whose real and imaginary parts are uniform in [-1, 1).
template <class R>
CURLEW_HD complex<R> random_entry(Offset i) {
  const auto part = [](std::uint64_t bits) { return R(double(bits >> 11) * 0x1p-52 - 1); };
  return {part(mixed_bits(2 * std::uint64_t(i))), part(mixed_bits(2 * std::uint64_t(i) + 1))};
}

}  // namespace curlew::linalg
