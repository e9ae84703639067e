// SPDX-License-Identifier: BSD-3-Clause
#include "mie.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace curlew::test {
namespace {

using C = std::complex<double>;
constexpr C i{0, 1};
constexpr double vacuum_impedance = 1.25663706212e-6 * 299792458.0;

/// Riccati-Bessel functions psi = z j(z), chi = -z y(z) and psi'/psi, orders 0..n.
struct Riccati {
  std::vector<C> psi, chi, log_derivative;

  Riccati(C z, int n) : psi(n + 1), chi(n + 1), log_derivative(n + 1) {
    // The logarithmic derivative downwards (section 4.8): stable for every z, and it makes psi stable
    // upwards.
    C d = 0;
    for (int m = std::max(n, int(std::abs(z))) + 20; m > 0; --m) {
      const C ratio = double(m) / z;
      d = ratio - 1.0 / (d + ratio);
      if (m - 1 <= n) log_derivative[m - 1] = d;
    }
    psi[0] = std::sin(z);
    chi[0] = std::cos(z);
    if (std::abs(psi[0]) < 0.5 * std::abs(chi[0]) &&
        n > 0) {  // near a zero of sin, where psi'/psi has its pole
      psi[1] = std::abs(z) < 0.1 ? psi[0] / (log_derivative[1] + 1.0 / z) : psi[0] / z - chi[0];
    } else if (n > 0) {
      psi[1] = psi[0] / (log_derivative[1] + 1.0 / z);
    }
    for (int m = 2; m <= n; ++m) psi[m] = psi[m - 1] / (log_derivative[m] + double(m) / z);
    if (n > 0) chi[1] = chi[0] / z + std::sin(z);
    for (int m = 2; m <= n; ++m) chi[m] = double(2 * m - 1) / z * chi[m - 1] - chi[m - 2];
  }
  C d_psi(int n, C z) const { return psi[n - 1] - double(n) / z * psi[n]; }
  C d_chi(int n, C z) const { return chi[n - 1] - double(n) / z * chi[n]; }
};

/// (psi' - g psi) / (xi' - g xi): the coefficient of a wave whose inside prescribes f'/f = g at the surface.
/// An infinite g (f = 0) is given as no value.
C coefficient(int n, double x, const Riccati& out, std::optional<C> g) {
  const C psi = out.psi[n], xi = psi - i * out.chi[n];
  if (!g) return psi / xi;
  const C d_psi = out.d_psi(n, x), d_xi = d_psi - i * out.d_chi(n, x);
  return (d_psi - *g * psi) / (d_xi - *g * xi);
}

/// f'/f at the outside of a layer over a conductor: f = psi - r chi with f' = 0 (electric) or f = 0
/// (magnetic) inside.
C layer_ratio(int n, bool electric, C outer, C inner, const Riccati& at_outer, const Riccati& at_inner) {
  const C p = electric ? at_inner.d_psi(n, inner) : at_inner.psi[n];
  const C q = electric ? at_inner.d_chi(n, inner) : at_inner.chi[n];
  const C f = at_outer.psi[n] * q - at_outer.chi[n] * p;
  return (at_outer.d_psi(n, outer) * q - at_outer.d_chi(n, outer) * p) / f;
}

}  // namespace

Sphere conducting_sphere(double radius) {
  return {.kind = Sphere::Kind::conductor, .radius = radius};
}
Sphere dielectric_sphere(double radius, C epsilon_r, C mu_r) {
  return {.kind = Sphere::Kind::dielectric, .radius = radius, .epsilon_r = epsilon_r, .mu_r = mu_r};
}
Sphere coated_conducting_sphere(double core_radius, double radius, C epsilon_r, C mu_r) {
  return {.kind = Sphere::Kind::coated_conductor,
          .radius = radius,
          .core_radius = core_radius,
          .epsilon_r = epsilon_r,
          .mu_r = mu_r};
}
Sphere impedance_sphere(double radius, C surface_impedance) {
  return {.kind = Sphere::Kind::impedance, .radius = radius, .surface_impedance = surface_impedance};
}
Sphere sheet_sphere(double radius, C sheet_impedance) {
  return {.kind = Sphere::Kind::sheet, .radius = radius, .surface_impedance = sheet_impedance};
}

Mie::Mie(const Sphere& s, double wavenumber) : k_(wavenumber), x_(wavenumber * s.radius) {
  if (!(x_ > 0) || (s.kind == Sphere::Kind::coated_conductor && !(s.core_radius < s.radius)))
    throw std::invalid_argument(
        "Mie: radii and wavenumber must be positive, the core smaller than the sphere");
  const int n = int(x_ + 4.05 * std::cbrt(x_)) + 10;
  const Riccati out(x_, n);
  // From here in exp(-iwt), hence the conjugates.
  const C eps = std::conj(s.epsilon_r), mu = std::conj(s.mu_r);
  const C m = std::sqrt(eps) * std::sqrt(mu), eta = std::sqrt(mu) / std::sqrt(eps);
  const C z = std::conj(s.surface_impedance) / vacuum_impedance;
  const C outer = m * x_, inner = m * wavenumber * s.core_radius;
  m_ = m, eta_ = eta;
  const bool layered = s.kind == Sphere::Kind::coated_conductor;
  const Riccati inside(outer, n), core(layered ? inner : C(1), n);
  for (int j = 1; j <= n; ++j) {
    std::optional<C> electric = C(0), magnetic;
    if (s.kind == Sphere::Kind::dielectric) {
      electric = eta * inside.log_derivative[j];
      magnetic = inside.log_derivative[j] / eta;
    } else if (layered) {
      electric = eta * layer_ratio(j, true, outer, inner, inside, core);
      magnetic = layer_ratio(j, false, outer, inner, inside, core) / eta;
    } else if (s.kind == Sphere::Kind::impedance) {
      electric = -i * z;
      if (z != 0.0) magnetic = -i / z;
    } else if (s.kind == Sphere::Kind::sheet) {  // the inside and the sheet, in parallel
      electric = 1.0 / (1.0 / inside.log_derivative[j] + i / z);
      magnetic = inside.log_derivative[j] - i / z;
    }
    a_.push_back(coefficient(j, x_, out, electric));
    b_.push_back(coefficient(j, x_, out, magnetic));
  }
}

Mie::FarField Mie::far_field(double theta, double phi) const {
  const double mu = std::cos(theta);
  C s1 = 0, s2 = 0;
  double before = 0, pi_n = 1;  // pi_0, pi_1
  for (std::size_t j = 0; j < a_.size(); ++j) {
    const double n = double(j + 1);
    const double tau = n * mu * pi_n - (n + 1) * before, scale = (2 * n + 1) / (n * (n + 1));
    s1 += scale * (a_[j] * pi_n + b_[j] * tau);
    s2 += scale * (a_[j] * tau + b_[j] * pi_n);
    const double next = ((2 * n + 1) * mu * pi_n - (n + 1) * before) / n;
    before = pi_n, pi_n = next;
  }
  // E_theta = exp(ikr)/(-ikr) cos(phi) S2, E_phi = -exp(ikr)/(-ikr) sin(phi) S1, conjugated.
  const C factor = 1.0 / (i * k_);
  return {factor * std::cos(phi) * std::conj(s2), -factor * std::sin(phi) * std::conj(s1)};
}

Mie::Field Mie::near_field(double px, double py, double pz) const {
  const double r = std::sqrt(px * px + py * py + pz * pz), mu = pz / r, around = std::hypot(px, py);
  const double sine = around / r, c = around > 0 ? px / around : 1, s = around > 0 ? py / around : 0;
  const bool inside = k_ * r < x_;
  const int terms = int(a_.size());
  const C rho = inside ? m_ * k_ * r : C(k_ * r);
  const Riccati here(rho, terms), out(x_, terms), in(m_ * x_, terms);
  std::array<C, 3> e{}, h{};  // along r, theta, phi
  double before = 0, pi_n = 1;
  C power = i;  // i^n
  for (int n = 1; n <= terms; ++n, power *= i) {
    const double tau = n * mu * pi_n - (n + 1) * before;
    const C scale = power * double(2 * n + 1) / double(n * (n + 1));
    C f = here.psi[n], df = here.d_psi(n, rho), of_m, of_n;  // equations 4.37, 4.40, 4.45, 4.50
    const C a = a_[n - 1], b = b_[n - 1];
    if (inside) {
      const C xi = out.psi[n] - i * out.chi[n], d_xi = out.d_psi(n, x_) - i * out.d_chi(n, x_);
      of_m = scale * m_ * (out.psi[n] - b * xi) / in.psi[n];
      of_n = -i * scale * m_ * (out.d_psi(n, x_) - a * d_xi) / in.d_psi(n, m_ * x_);
    } else {
      f -= i * here.chi[n], df -= i * here.d_chi(n, rho);
      of_m = -scale * b, of_n = i * scale * a;
    }
    const double radial = n * (n + 1) * sine * pi_n;
    const C wave = f / rho, slope = df / rho, over = f / (rho * rho);
    e[0] += of_n * c * radial * over;
    e[1] += of_m * c * pi_n * wave + of_n * c * tau * slope;
    e[2] += -of_m * s * tau * wave - of_n * s * pi_n * slope;
    h[0] += of_m * s * radial * over;
    h[1] += of_m * s * tau * slope - of_n * s * pi_n * wave;
    h[2] += of_m * c * pi_n * slope - of_n * c * tau * wave;
    const double next = ((2 * n + 1) * mu * pi_n - (n + 1) * before) / n;
    before = pi_n, pi_n = next;
  }
  const C to_h = -i / (vacuum_impedance * (inside ? eta_ : C(1)));  // curl M = k N, curl N = k M
  const auto cartesian = [&](const std::array<C, 3>& v, C factor) {
    const C across = sine * v[0] + mu * v[1];
    return std::array<C, 3>{std::conj(factor * (c * across - s * v[2])),
                            std::conj(factor * (s * across + c * v[2])),
                            std::conj(factor * (mu * v[0] - sine * v[1]))};
  };
  return {cartesian(e, 1), cartesian(h, to_h)};
}

Mie::CrossSection Mie::rcs(double theta, double phi) const {
  const auto f = far_field(theta, phi);
  return {4 * std::numbers::pi * std::norm(f.theta), 4 * std::numbers::pi * std::norm(f.phi)};
}

double Mie::q_extinction() const {
  double sum = 0;
  for (std::size_t j = 0; j < a_.size(); ++j) sum += (2.0 * double(j) + 3) * (a_[j] + b_[j]).real();
  return 2 / (x_ * x_) * sum;
}

double Mie::q_scattering() const {
  double sum = 0;
  for (std::size_t j = 0; j < a_.size(); ++j)
    sum += (2.0 * double(j) + 3) * (std::norm(a_[j]) + std::norm(b_[j]));
  return 2 / (x_ * x_) * sum;
}

double dbsm(double area) {
  return 10 * std::log10(std::max(area, 1e-300));
}

}  // namespace curlew::test
