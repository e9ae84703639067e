// SPDX-License-Identifier: BSD-3-Clause
#include "programs/ie/permittivity.hpp"

#include "base/constants.hpp"
#include "fem/model/dispersion.hpp"

namespace curlew::programs {

Permittivity read_permittivity(const io::Config& t) {
  const auto dispersion = fem::read_dispersion(t);
  const auto constant = dispersion.is_empty() ? t.get<Complex>("epsilon_r")
                        : dispersion.table    ? Complex(0)
                                              : t.get_or<Complex>("epsilon_r", 1.0);
  const double tangent = t.get_or<double>("loss_tangent", 0), sigma = t.get_or<double>("conductivity", 0);
  t.require(tangent >= 0, "loss_tangent", "loss_tangent must not be negative");
  t.require(sigma >= 0, "conductivity", "conductivity must not be negative");
  return [=](double f) {
    const Complex loss(0, tangent * constant.real() + sigma / (2 * pi * f * vacuum_permittivity));
    return constant - loss + dispersion.permittivity(f);
  };
}

Permittivity read_dielectric(const io::Config& t) {
  if (t.get_or<Complex>("mu_r", 1.0) != 1.0) t.error("mu_r", "this equation is for dielectrics: mu_r = 1");
  return read_permittivity(t);
}

}  // namespace curlew::programs
