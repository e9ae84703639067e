// SPDX-License-Identifier: BSD-3-Clause
#include "mode_matching.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/constants.hpp"

namespace curlew::reference {
namespace {

using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;

VectorXcd propagation(double width, double k, int modes, Complex eps_r) {
  VectorXcd gamma(modes);
  for (int i = 0; i < modes; ++i) {
    const double kc = (2 * i + 1) * pi / width;
    // The argument of a lossy line lies above the negative real axis; +0.0 puts that of a lossless one on
    // that side.
    const Complex square = kc * kc - k * k * eps_r;
    gamma(i) = std::sqrt(Complex(square.real(), square.imag() + 0.0));
  }
  return gamma;
}

/// Integral over the gap of the normalised modes sqrt(2/a) sin(m pi x/a) and sqrt(2/w) sin(n pi (x - (a -
/// w)/2)/w), m, n odd, by the sum and difference of the arguments about the centre.
MatrixXd overlap(double width, double gap, int modes, int gap_modes) {
  MatrixXd result(modes, gap_modes);
  for (int i = 0; i < modes; ++i)
    for (int j = 0; j < gap_modes; ++j) {
      const double p = (2 * i + 1) * pi / width, q = (2 * j + 1) * pi / gap, half = gap / 2;
      // sin(m pi/2 + p u) = (-1)^i cos(p u) about the centre
      const double sign = (i + j) % 2 == 0 ? 1 : -1;
      const double difference = std::abs(p - q) * gap < 1e-9 ? half : std::sin((p - q) * half) / (p - q);
      result(i, j) = sign * 2 / std::sqrt(width * gap) * (difference + std::sin((p + q) * half) / (p + q));
    }
  return result;
}

/// A centred gap in a guide. @param modes of the guide; the gap has modes in proportion to the widths: else
/// the series converges to a wrong field at the edges
struct Gap {
  Gap(double width, double gap, double k, int modes)
      : M(overlap(width, gap, modes, std::max(1, int(std::lround(modes * gap / width)))).cast<Complex>()),
        g(propagation(gap, k, int(M.cols()), 1.0)),
        left(M.transpose() * propagation(width, k, modes, 1.0).asDiagonal()),
        K(left * M) {}
  MatrixXcd M;
  VectorXcd g;        // admittances times jωμ
  MatrixXcd left, K;  // Mᵀ Y, Mᵀ Y M
};

/// S of the square's three sides with `modes` each: E of a side is that of its waves and extends into the
/// square with zero on the other three, so that the normal derivatives on all sides are sums in closed form.
MatrixXcd junction_of(double width, double k, bool is_bend, int modes) {
  const double scale = pi / width;
  VectorXcd gamma(modes);
  for (int m = 0; m < modes; ++m) gamma[m] = std::sqrt(Complex(std::pow((m + 1) * scale, 2) - k * k, 0.0));
  const auto e = (-2 * width * gamma.array()).exp().eval();
  MatrixXcd y = MatrixXcd::Zero(3 * modes, 3 * modes);
  for (int m = 0; m < modes; ++m) {
    const Complex own = gamma[m] * (1.0 + e[m]) / (1.0 - e[m]);
    for (const int side : {0, 1, 2}) y(side * modes + m, side * modes + m) = own;
    y(m, modes + m) = y(modes + m, m) = -2.0 * gamma[m] * std::exp(-gamma[m] * width) / (1.0 - e[m]);
    for (int n = 0; n < modes; ++n) {
      const double p = (m + 1) * scale, q = (n + 1) * scale, sign = m % 2 == 0 ? -1 : 1;
      const double at_first = sign * p * q * 2 / width / (p * p + q * q - k * k),
                   at_second = n % 2 == 0 ? at_first : -at_first;
      y(m, 2 * modes + n) = y(2 * modes + n, m) = at_first;
      y(modes + m, 2 * modes + n) = y(2 * modes + n, modes + m) = at_second;
    }
  }
  std::vector<int> rows;  // E = 0 on the side of an arm that is not there
  for (int r = 0; r < 3 * modes; ++r)
    if (!is_bend || r < modes || r >= 2 * modes) rows.push_back(r);
  y = MatrixXcd(y(rows, rows));
  const auto arms = y.rows() / modes;
  const VectorXcd of_arms = gamma.replicate(arms, 1);
  const MatrixXcd arm = of_arms.asDiagonal();
  const MatrixXcd s = (y + arm).partialPivLu().solve(arm - y);
  const auto first = Eigen::seqN(0, arms, modes);
  return s(first, first);
}

}  // namespace

Guide::Guide(double width, double frequency, int modes)
    : width_(width), k_(2 * pi * frequency / speed_of_light), modes_(modes) {}

VectorXcd Guide::gamma(Complex eps_r) const {
  return propagation(width_, k_, modes_, eps_r);
}

TwoPort Guide::iris(double gap, double thickness) const {
  const auto [M, g, left, K] = Gap(width_, gap, k_, modes_);
  // V of the gap's modes by Galerkin: (Mᵀ Y M + Y_section) V = 2 Mᵀ Y A; a magnetic or an electric wall at
  // half the thickness gives the even and the odd case.
  const auto reflect = [&, &M = M, &left = left, &K = K](const VectorXcd& admittance) -> MatrixXcd {
    const MatrixXcd system = K + MatrixXcd(admittance.asDiagonal());
    return M * system.partialPivLu().solve(2.0 * left) - MatrixXcd::Identity(modes_, modes_);
  };
  const VectorXcd t = (g * (thickness / 2)).array().tanh();
  const MatrixXcd even = reflect(g.cwiseProduct(t)), odd = reflect(g.cwiseQuotient(t));
  const MatrixXcd s11 = (even + odd) / 2, s21 = (even - odd) / 2;
  return {s11, s21, s21, s11};
}

TwoPort Guide::step(double gap) const {
  const auto [M, g, left, K] = Gap(width_, gap, k_, modes_);
  const auto system = (K + MatrixXcd(g.asDiagonal())).eval().partialPivLu();
  const MatrixXcd from_wide = system.solve(2.0 * left),
                  from_narrow = system.solve(2.0 * MatrixXcd(g.asDiagonal()));
  return {M * from_wide - MatrixXcd::Identity(modes_, modes_), M * from_narrow, from_wide,
          from_narrow - MatrixXcd::Identity(g.size(), g.size())};
}

TwoPort Guide::slab(double length, Complex eps_r) const {
  const VectorXcd outside = gamma(), inside = gamma(eps_r);
  VectorXcd s11(modes_), s21(modes_);
  for (int i = 0; i < modes_; ++i) std::tie(s11(i), s21(i)) = line(outside(i), inside(i), length);
  return {s11.asDiagonal(), s21.asDiagonal(), s21.asDiagonal(), s11.asDiagonal()};
}

TwoPort Guide::section(double length) const {
  return slab(length, 1.0);
}

TwoPort cascade(const TwoPort& first, const TwoPort& second) {
  const auto identity = MatrixXcd::Identity(first.s22.rows(), first.s22.rows());
  const auto forward = (identity - second.s11 * first.s22).partialPivLu();
  const auto backward = (identity - first.s22 * second.s11).partialPivLu();
  const MatrixXcd back = forward.solve(second.s11 * first.s21);  // waves from the second into the first
  const MatrixXcd on = backward.solve(first.s22 * second.s12);   // and from the first into the second
  return {first.s11 + first.s12 * back, first.s12 * (second.s12 + second.s11 * on),
          second.s21 * (first.s21 + first.s22 * back), second.s22 + second.s21 * on};
}

MatrixXcd junction(double width, double frequency, bool is_bend) {
  constexpr int modes = 50;
  const double k = 2 * pi * frequency / speed_of_light;
  const MatrixXcd coarse = junction_of(width, k, is_bend, modes),
                  fine = junction_of(width, k, is_bend, 2 * modes);
  return fine +
         (fine - coarse) / (std::pow(2, 4.0 / 3) - 1);  // edges of 90 degrees: the error falls as M^(-4/3)
}

std::pair<Complex, Complex> line(Complex gamma0, Complex gamma, double length) {
  const Complex rho = (gamma0 - gamma) / (gamma0 + gamma), e = std::exp(-gamma * length);
  const Complex denominator = 1.0 - rho * rho * e * e;
  return {rho * (1.0 - e * e) / denominator, (1.0 - rho * rho) * e / denominator};
}

}  // namespace curlew::reference
