// SPDX-License-Identifier: BSD-3-Clause
#include "fem/ports/waveguide_mode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"

namespace curlew::fem {
namespace {

double bessel_derivative(int n, double x) {
  return n == 0 ? -std::cyl_bessel_j(1.0, x)
                : 0.5 * (std::cyl_bessel_j(n - 1.0, x) - std::cyl_bessel_j(n + 1.0, x));
}

/// The m-th positive zero of J_n (TM) or of its derivative (TE), by bisection between sign changes.
double bessel_zero(WaveguideMode::Family family, int n, int m) {
  const auto f = [&](double x) {
    return family == WaveguideMode::Family::tm ? std::cyl_bessel_j(double(n), x) : bessel_derivative(n, x);
  };
  constexpr double step = 0.1;  // zeros are more than 1.8 apart
  double a = step;
  for (int found = 0;; a += step) {
    if (f(a) * f(a + step) > 0) continue;
    if (++found == m) break;
  }
  double b = a + step;
  while (b - a > 1e-15 * b) {
    const double middle = 0.5 * (a + b);
    if (middle == a || middle == b) break;
    (f(a) * f(middle) <= 0 ? b : a) = middle;
  }
  return 0.5 * (a + b);
}

}  // namespace

WaveguideMode::WaveguideMode(const PortShape& shape, Family te_or_tm, int m, int n, bool sine)
    : shape_(shape), m_(m), n_(n), sine_(sine) {
  family = te_or_tm;
  const char* letters = family == Family::te ? "TE" : "TM";
  name = shape.kind == PortShape::Kind::rectangle ? fmt::format("{}{}{}", letters, m, n)
                                                  : fmt::format("{}{}{}{}", letters, n, m, sine ? "s" : "");
  if (shape.kind == PortShape::Kind::rectangle) {
    cutoff = std::hypot(m * pi / shape.width, n * pi / shape.height);
    // mean of cos² or sin² is 1/2 along each direction that varies
    const double mean = (m == 0 || n == 0) ? 0.5 : 0.25;
    scale_ = 1 / (cutoff * std::sqrt(mean * shape.width * shape.height));
    if (family == Family::te && m > 0) scale_ = -scale_;  // E of TE10 along +v
    return;
  }
  const double zero = bessel_zero(family, n, m);
  cutoff = zero / shape.width;
  const double peak = family == Family::te ? (1 - double(n) * n / (zero * zero)) *
                                                 std::pow(std::cyl_bessel_j(double(n), zero), 2)
                                           : std::pow(std::cyl_bessel_j(n + 1.0, zero), 2);
  const double angular = n == 0 ? 2 * pi : pi;
  scale_ = 1 / (zero * std::sqrt(0.5 * angular * peak));  // ∫ |∇ψ|² = kc² ∫ ψ²
}

Vec3<double> WaveguideMode::electric(Vec3<double> r) const {
  const Vec3<double> local = r - shape_.origin;
  const double u = dot(local, shape_.u), v = dot(local, shape_.v);
  const Vec3<double> e = shape_.kind == PortShape::Kind::rectangle ? rectangular(u, v) : circular(u, v);
  return scale_ * (e.x * shape_.u + e.y * shape_.v);
}

// TE: e = w × ∇ψ with ψ = cos cos; TM: e = ∇ψ with ψ = sin sin.
Vec3<double> WaveguideMode::rectangular(double u, double v) const {
  const double ku = m_ * pi / shape_.width, kv = n_ * pi / shape_.height;
  const double cu = std::cos(ku * u), su = std::sin(ku * u), cv = std::cos(kv * v), sv = std::sin(kv * v);
  if (family == Family::te) return {kv * cu * sv, -ku * su * cv, 0};
  return {ku * cu * sv, kv * su * cv, 0};
}

// ψ = J_n(kc ρ) cos or sin(nφ).
Vec3<double> WaveguideMode::circular(double u, double v) const {
  const double rho = std::hypot(u, v), phi = std::atan2(v, u);
  const double x = cutoff * rho;
  const double c = sine_ ? std::sin(n_ * phi) : std::cos(n_ * phi);
  const double s = sine_ ? -std::cos(n_ * phi) : std::sin(n_ * phi);  // -(dc/dφ)/n
  // n J_n(x)/x without the division at the axis
  const double quotient =
      n_ == 0 ? 0 : 0.5 * (std::cyl_bessel_j(n_ - 1.0, x) + std::cyl_bessel_j(n_ + 1.0, x));
  const double d_rho = bessel_derivative(n_, x) * c, d_phi = -quotient * s;  // ∇ψ / kc
  const double e_rho = family == Family::te ? -d_phi : d_rho;
  const double e_phi = family == Family::te ? d_rho : d_phi;
  const double k = cutoff;
  return {k * (e_rho * std::cos(phi) - e_phi * std::sin(phi)),
          k * (e_rho * std::sin(phi) + e_phi * std::cos(phi)), 0};
}

std::vector<WaveguideMode> waveguide_modes(const PortShape& shape, int count) {
  std::vector<WaveguideMode> modes;
  const bool circle = shape.kind == PortShape::Kind::circle;
  // Enough candidates: the first `count` modes have fewer than count half waves along the longer side.
  const int most = std::max(count, 2);
  for (int m = circle ? 1 : 0; m <= most; ++m) {
    for (int n = 0; n <= most; ++n) {
      if (circle || m + n > 0) modes.emplace_back(shape, WaveguideMode::Family::te, m, n);
      if (circle || (m > 0 && n > 0)) modes.emplace_back(shape, WaveguideMode::Family::tm, m, n);
      if (circle && n > 0) {
        modes.emplace_back(shape, WaveguideMode::Family::te, m, n, true);
        modes.emplace_back(shape, WaveguideMode::Family::tm, m, n, true);
      }
    }
  }
  std::stable_sort(modes.begin(), modes.end(), [](const WaveguideMode& a, const WaveguideMode& b) {
    // Degenerate cut-offs differ in the last bits; TE first, then as generated.
    if (std::abs(a.cutoff - b.cutoff) > 1e-9 * a.cutoff) {
      return a.cutoff < b.cutoff;
    }
    return a.family < b.family;
  });
  modes.erase(modes.begin() + count, modes.end());
  return modes;
}

}  // namespace curlew::fem
