// SPDX-License-Identifier: BSD-3-Clause
#include "mode_matching.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

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

}  // namespace

Guide::Guide(double width, double frequency, int modes)
    : width_(width), k_(2 * pi * frequency / speed_of_light), modes_(modes) {}

VectorXcd Guide::gamma(Complex eps_r) const {
  return propagation(width_, k_, modes_, eps_r);
}

TwoPort Guide::iris(double gap, double thickness) const {
  // Modes in proportion to the widths: else the series converges to a wrong field at the edges.
  const int gap_modes = std::max(1, int(std::lround(modes_ * gap / width_)));
  const MatrixXcd M = overlap(width_, gap, modes_, gap_modes).cast<Complex>();
  const VectorXcd Y = gamma(), g = propagation(gap, k_, gap_modes, 1.0);  // admittances times jωμ
  const MatrixXcd left = M.transpose() * Y.asDiagonal(), K = left * M;
  // V of the gap's modes by Galerkin: (Mᵀ Y M + Y_section) V = 2 Mᵀ Y A; a magnetic or an electric wall at
  // half the thickness gives the even and the odd case.
  const auto reflect = [&](const VectorXcd& admittance) -> MatrixXcd {
    const MatrixXcd system = K + MatrixXcd(admittance.asDiagonal());
    return M * system.partialPivLu().solve(2.0 * left) - MatrixXcd::Identity(modes_, modes_);
  };
  const VectorXcd t = (g * (thickness / 2)).array().tanh();
  const MatrixXcd even = reflect(g.cwiseProduct(t)), odd = reflect(g.cwiseQuotient(t));
  const MatrixXcd s11 = (even + odd) / 2, s21 = (even - odd) / 2;
  return {s11, s21, s21, s11};
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

std::pair<Complex, Complex> line(Complex gamma0, Complex gamma, double length) {
  const Complex rho = (gamma0 - gamma) / (gamma0 + gamma), e = std::exp(-gamma * length);
  const Complex denominator = 1.0 - rho * rho * e * e;
  return {rho * (1.0 - e * e) / denominator, (1.0 - rho * rho) * e / denominator};
}

}  // namespace curlew::reference
