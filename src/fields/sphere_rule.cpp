// SPDX-License-Identifier: BSD-3-Clause
#include "fields/sphere_rule.hpp"

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "quadrature/rules.hpp"

namespace curlew::fields {

namespace {

int sphere_order(double kr) {
  return int(kr + 3 * std::cbrt(kr)) + 6;
}

}  // namespace

std::size_t sphere_rule_size(double kr) {
  const auto order = std::size_t(sphere_order(kr));
  return (order + 1) * (2 * order + 2);
}

SphereRule sphere_rule(double kr) {
  const int order = sphere_order(kr), around = 2 * order + 2;
  const auto rule = quadrature::gauss_legendre(order + 1);
  SphereRule out;
  for (int i = 0; i < rule.size(); ++i) {
    const double cosine = 1 - 2 * rule.points[std::size_t(i)];
    const double sine = std::sqrt(std::max(1 - cosine * cosine, 0.0));
    for (int m = 0; m < around; ++m) {
      const double phi = 2 * pi * m / around;
      out.unit.push_back({sine * std::cos(phi), sine * std::sin(phi), cosine});
      out.weight.push_back(rule.weights[std::size_t(i)] * 4 * pi / around);
    }
  }
  return out;
}

}  // namespace curlew::fields
