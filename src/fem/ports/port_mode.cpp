// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/port_mode.hpp"

#include <cmath>

#include "base/constants.hpp"

namespace curlew::fem {

Complex decaying_root(Complex square) {
  const Complex root = std::sqrt(square);
  if (std::abs(root.real()) < 1e-9 * std::abs(root)) return {std::abs(root.real()), std::abs(root.imag())};
  return root.real() < 0 ? -root : root;
}

Complex PortMode::gamma(double k0, Complex eps_r, Complex mu_r) const {
  return decaying_root(cutoff * cutoff - k0 * k0 * eps_r * mu_r);
}

Complex PortMode::admittance(double k0, Complex eps_r, Complex mu_r) const {
  const Complex g = gamma(k0, eps_r, mu_r);
  return family == ModeFamily::tm ? -k0 * k0 * eps_r / g : g / mu_r;
}

double PortMode::cutoff_frequency(Complex eps_r, Complex mu_r) const {
  return cutoff * speed_of_light / (2 * pi * std::sqrt(std::abs(eps_r.real() * mu_r.real())));
}

}  // namespace curlew::fem
