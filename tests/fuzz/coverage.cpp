// SPDX-License-Identifier: BSD-3-Clause
// Pairs of branches, counted as AFL counts them (M. Zalewski, "Technical whitepaper for afl-fuzz", section
// 1).
#include "coverage.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace {

constexpr std::size_t num_pairs = 1U << 18U;
std::uint8_t counts[num_pairs], known[num_pairs];
std::uint32_t touched[num_pairs];
std::size_t num_touched = 0, previous = 0;

}  // namespace

/// g++ calls it at the start of every block.
extern "C" void __sanitizer_cov_trace_pc() {
  const auto place = std::size_t(__builtin_return_address(0)) * 0x9E3779B97F4A7C15ULL >> 40U;
  const std::size_t pair = (place ^ previous) % num_pairs;
  if (counts[pair] == 0) touched[num_touched++] = std::uint32_t(pair);
  if (counts[pair] != 255) ++counts[pair];
  previous = place >> 1U;
}

namespace curlew::fuzz {

void start_coverage() {
  for (std::size_t i = 0; i < num_touched; ++i) counts[touched[i]] = 0;
  num_touched = previous = 0;
}

bool is_coverage_new() {
  bool is_new = false;
  for (std::size_t i = 0; i < num_touched; ++i) {
    const auto power = std::uint8_t(std::bit_floor(unsigned(counts[touched[i]])));
    if ((known[touched[i]] & power) == 0) known[touched[i]] |= power, is_new = true;
  }
  return is_new;
}

}  // namespace curlew::fuzz
