// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The matrix of `em-bench lu`, entry by entry, for host and device.

#include <cmath>
#include <cstdint>

#include "base/complex.hpp"
#include "base/types.hpp"

namespace curlew::bench {

/// A number in (-1/2, 1/2) + j (-1/2, 1/2) by Steele, Lea and Flood (2014), OOPSLA, 453 (SplitMix).
CURLEW_HD complex<double> lu_noise(std::uint64_t number) {
  std::uint64_t z = (number + 1) * 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  constexpr double unit = 1.0 / 4294967296.0;
  return {double(z >> 32) * unit - 0.5, double(z & 0xffffffffu) * unit - 0.5};
}

/// Entries in (-1/2, 1/2) + j (-1/2, 1/2), and 2 sqrt(n) a third of the matrix beside the diagonal: condition
/// of order 1, and a row to exchange in every step.
CURLEW_HD complex<double> lu_entry(Offset n, Offset i, Offset j) {
  const complex<double> value = lu_noise(std::uint64_t(i + j * n));
  return i == (j + n / 3) % n ? value + complex<double>(2 * std::sqrt(double(n))) : value;
}

/// Columns [first, first + count) of the matrix on the device, there on return. @param a device memory [n,
/// count]
void lu_columns(Offset n, Offset first, Offset count, complex<double>* a);
}  // namespace curlew::bench
