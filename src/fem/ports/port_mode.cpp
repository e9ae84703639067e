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

Complex forward_root(Complex square, double sign) {
  const Complex root = decaying_root(square);
  const bool is_imaginary = root.real() < 1e-9 * std::abs(root);
  return is_imaginary && sign < 0 ? std::conj(root) : root;
}

Complex PortMode::gamma(double k0, Complex eps_r, Complex mu_r) const {
  return forward_root(cutoff * cutoff - k0 * k0 * eps_r * mu_r,
                      family == ModeFamily::tm ? eps_r.real() : mu_r.real());
}

Complex PortMode::admittance(double k0, Complex eps_r, Complex mu_r) const {
  const Complex g = gamma(k0, eps_r, mu_r);
  return family == ModeFamily::tm ? -k0 * k0 * eps_r / g : g / mu_r;
}

double PortMode::cutoff_frequency(Complex eps_r, Complex mu_r) const {
  return cutoff * speed_of_light / (2 * pi * std::sqrt(std::abs(eps_r.real() * mu_r.real())));
}

}  // namespace curlew::fem
