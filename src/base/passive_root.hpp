// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "base/types.hpp"

namespace curlew {

/// Square root of a relative permittivity or permeability, Im <= 0 at real frequencies (exp(+jωt), passive
/// media). At the complex frequency of a decaying mode a constant near the negative real axis may cross it,
/// where std::sqrt jumps to the growing wave; the same happens at a real frequency, where the zero imaginary
/// part may have either sign. This root has its cut in the quadrant Re < 0, Im > 0, and is -j sqrt(|z|) on
/// both sides of that axis.
inline Complex passive_root(Complex z) {
  const Complex root = std::sqrt(z);
  return z.real() < 0 && root.imag() > 0 ? -root : root;
}

}  // namespace curlew
