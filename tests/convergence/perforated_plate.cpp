// SPDX-License-Identifier: BSD-3-Clause
#include "perforated_plate.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <vector>

namespace curlew::test {
namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXcd;
constexpr double pi = std::numbers::pi;

/// √(kc² - k²), +j when propagating.
Complex gamma(double cutoff2, double k) {
  const double square = cutoff2 - k * k;
  return square > 0 ? Complex(std::sqrt(square), 0) : Complex(0, std::sqrt(-square));
}
/// jωμ times the wave admittance.
Complex admittance(bool te, double cutoff2, double k) {
  const Complex g = gamma(cutoff2, k);
  return te ? g : -k * k / g;
}

/// ∫ exp(jq x) trig(pπ (x + w/2)/w) dx over -w/2..w/2, for both functions.
struct Overlap {
  Complex cosine, sine;
};
Overlap overlap(double q, int p, double w) {
  const auto plain = [w](double k) {  // ∫ exp(jkx)
    return std::abs(k * w) < 1e-9 ? w : 2 * std::sin(0.5 * k * w) / k;
  };
  const double r = p * pi / w;
  const Complex up = std::polar(1.0, 0.5 * p * pi) * plain(q + r),
                down = std::polar(1.0, -0.5 * p * pi) * plain(q - r);
  return {0.5 * (up + down), Complex(0, -0.5) * (up - down)};
}

struct OuterMode {
  bool te;
  double kx, ky;  // of exp(-j(kx x + ky y))
  double ex, ey;  // unit
};

std::vector<OuterMode> outer_modes(const PerforatedPlate& plate, double k, double theta, double phi,
                                   int orders) {
  const double kx0 = -k * std::sin(theta) * std::cos(phi), ky0 = -k * std::sin(theta) * std::sin(phi);
  std::vector<OuterMode> modes;
  const auto add = [&](int m, int n) {
    const double kx = kx0 + 2 * pi * m / plate.period_x, ky = ky0 + 2 * pi * n / plate.period_y;
    const double kt = std::hypot(kx, ky);
    const double ux = kt > 1e-9 * k ? -kx / kt : std::cos(phi), uy = kt > 1e-9 * k ? -ky / kt : std::sin(phi);
    modes.push_back({true, kx, ky, -uy, ux});
    modes.push_back({false, kx, ky, ux, uy});
  };
  add(0, 0);
  for (int m = -orders; m <= orders; ++m)
    for (int n = -orders; n <= orders; ++n)
      if (m != 0 || n != 0) add(m, n);
  return modes;
}

struct HoleMode {
  bool te;
  int p, q;
};

std::vector<HoleMode> hole_modes(const PerforatedPlate& plate, int orders) {
  const int along_x = int(2 * orders * plate.hole_x / plate.period_x),
            along_y = int(2 * orders * plate.hole_y / plate.period_y);
  std::vector<HoleMode> modes;
  for (int p = 0; p <= along_x; ++p)
    for (int q = 0; q <= along_y; ++q) {
      if (p + q > 0) modes.push_back({true, p, q});
      if (p > 0 && q > 0) modes.push_back({false, p, q});
    }
  return modes;
}

/// ∫ Φ*·Ψ over the hole.
Complex coupling(const PerforatedPlate& plate, const OuterMode& outer, const HoleMode& hole) {
  const double w = plate.hole_x, h = plate.hole_y, px = hole.p * pi / w, qy = hole.q * pi / h;
  const Overlap x = overlap(outer.kx, hole.p, w), y = overlap(outer.ky, hole.q, h);
  // TE: e = z × ∇(cos cos) = (qy cos sin, -px sin cos); TM: e = ∇(sin sin) = (px cos sin, qy sin cos).
  const double half = (hole.p == 0 || hole.q == 0) ? 2 : 1;
  const double scale = 1 / std::sqrt((px * px + qy * qy) * w * h / 4 * half);
  const double ax = hole.te ? qy : px, ay = hole.te ? -px : qy;
  return scale / std::sqrt(plate.period_x * plate.period_y) *
         (ax * x.cosine * y.sine * outer.ex + ay * x.sine * y.cosine * outer.ey);
}

}  // namespace

PlateScattering match_plate(const PerforatedPlate& plate, double k, double theta, double phi, int orders) {
  const auto outer = outer_modes(plate, k, theta, phi, orders);
  const auto holes = hole_modes(plate, orders);
  const auto n = Eigen::Index(outer.size()), m = Eigen::Index(holes.size());
  Matrix c(n, m);
  Eigen::VectorXcd y(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    const OuterMode& mode = outer[std::size_t(i)];
    y[i] = admittance(mode.te, mode.kx * mode.kx + mode.ky * mode.ky, k);
    for (Eigen::Index j = 0; j < m; ++j) c(i, j) = coupling(plate, mode, holes[std::size_t(j)]);
  }
  const Matrix weighted = c.adjoint() * y.asDiagonal();  // H on the hole's modes
  Matrix reflected[2];
  for (const bool magnetic : {true, false}) {
    Matrix system = weighted * c;
    for (Eigen::Index j = 0; j < m; ++j) {
      const HoleMode& hole = holes[std::size_t(j)];
      const double cutoff2 =
          std::pow(hole.p * pi / plate.hole_x, 2) + std::pow(hole.q * pi / plate.hole_y, 2);
      const Complex t = std::tanh(0.5 * plate.thickness * gamma(cutoff2, k));
      system(j, j) += admittance(hole.te, cutoff2, k) * (magnetic ? t : 1.0 / t);
    }
    const Matrix v = c * system.lu().solve(2.0 * weighted.leftCols(2));
    reflected[magnetic ? 0 : 1] = v.topRows(2) - Matrix::Identity(2, 2);
  }
  PlateScattering s{};
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) {
      const Complex even = reflected[0](i, j), odd = reflected[1](i, j);
      s.reflected[i][j] = 0.5 * (even + odd);
      s.transmitted[i][j] = 0.5 * (even - odd);
    }
  return s;
}

}  // namespace curlew::test
