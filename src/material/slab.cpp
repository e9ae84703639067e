// SPDX-License-Identifier: BSD-3-Clause
#include "material/slab.hpp"

#include <cmath>

#include "base/constants.hpp"
#include "base/wavenumber.hpp"

namespace curlew::material {
namespace {

/// -j cot z, Im z <= 0. With e = exp(-2jz) it does not overflow in layers of many skin depths; with cos and
/// sin there is no cancellation in 1 - e in thin ones.
Complex minus_j_cot(Complex z) {
  if (std::abs(z.imag()) < 1) return Complex(0, -1) * std::cos(z) / std::sin(z);
  const Complex e = std::exp(Complex(0, -2) * z);
  return (1.0 + e) / (1.0 - e);
}

}  // namespace

SlabImpedance slab_impedance(Complex epsilon_r, Complex mu_r, double thickness, Complex frequency) {
  Complex k = wavenumber(frequency) * std::sqrt(epsilon_r * mu_r);
  if (k.imag() > 0) k = -k;  // both roots give one two-port; this one decays
  const Complex eta = 2 * pi * frequency * vacuum_permeability * mu_r / k;
  const Complex half = minus_j_cot(0.5 * k * thickness);
  return {eta * half, eta / half, eta * minus_j_cot(k * thickness)};
}

}  // namespace curlew::material
