// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Reproducible random bits, each a function of its index: the same in every run and on every thread.

#include <cstdint>

namespace curlew {

/// Source: Steele, Lea, Flood (2014), Fast splittable pseudorandom number generators, OOPSLA, 453
/// (SplitMix64).
constexpr std::uint64_t random_bits(std::uint64_t i) {
  i += 0x9e3779b97f4a7c15U;
  i = (i ^ (i >> 30)) * 0xbf58476d1ce4e5b9U;
  i = (i ^ (i >> 27)) * 0x94d049bb133111ebU;
  return i ^ (i >> 31);
}

}  // namespace curlew
