// SPDX-License-Identifier: BSD-3-Clause
// Edges and corners: strips against a spectral method in the angle of x = cos(theta), squares by three
// equations.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "mom2d/far_field.hpp"

namespace curlew::mom2d {
namespace {

std::vector<double> observation() {
  std::vector<double> phi;
  for (int a = 0; a < 18; ++a) phi.push_back(0.05 + 2 * pi * a / 18);
  return phi;
}

/// Echo widths of a conducting strip -1..1 by collocation at theta_i = (i + 1/2) pi/M: with x = cos(theta)
/// the edge behaviour drops out. ln|x - x'| = -ln 2 - sum 2/n cos(n theta) cos(n theta'). Bessel functions of
/// the library.
std::vector<double> spectral_strip(double k, bool te, double incidence, const std::vector<double>& phi) {
  const int n = 48;
  const auto theta = [&](int i) { return (i + 0.5) * pi / n; };
  Eigen::MatrixXcd a(n, n);
  Eigen::VectorXcd b(n);
  const double euler = 0.57721566490153286;
  for (int i = 0; i < n; ++i) {
    const double x = std::cos(theta(i));
    for (int j = 0; j < n; ++j) {
      const double R = std::abs(x - std::cos(theta(j))), w = pi / n;
      double log_weight = std::log(2.0);
      for (int m = 1; m < n; ++m) log_weight += 2.0 / m * std::cos(m * theta(i)) * std::cos(m * theta(j));
      log_weight *= -w;
      Complex logarithmic, smooth;
      if (!te) {  // G = -J0/(2 pi) ln R + rest
        logarithmic = i == j ? -1 / (2 * pi) : -std::cyl_bessel_j(0, k * R) / (2 * pi);
        smooth = i == j
                     ? Complex(-(std::log(k / 2) + euler) / (2 * pi), -0.25)
                     : Complex(0, -0.25) * Complex(std::cyl_bessel_j(0, k * R), -std::cyl_neumann(0, k * R)) -
                           logarithmic * std::log(R);
        a(i, j) = logarithmic * log_weight + smooth * w;
      } else {  // kH1/(4jR) = 1/(2 pi R^2) - k J1/(2 pi R) ln R + rest
        logarithmic = i == j ? -k * k / (4 * pi) : -k * std::cyl_bessel_j(1, k * R) / (2 * pi * R);
        smooth = i == j ? k * k * Complex(-(std::log(k / 2) + euler - 0.5) / (4 * pi), -0.125)
                        : Complex(0, -0.25) * k / R *
                                  Complex(std::cyl_bessel_j(1, k * R), -std::cyl_neumann(1, k * R)) -
                              logarithmic * std::log(R) - 1 / (2 * pi * R * R);
        a(i, j) = (logarithmic * log_weight + smooth * w) * std::sin(theta(j));
        for (int m = 1; m <= n; ++m) {  // finite part of sin(m theta'): -pi m sin(m theta)/sin(theta)
          const double norm = m == n ? 1.0 / n : 2.0 / n;
          a(i, j) -= 0.5 * m * std::sin(m * theta(i)) / std::sin(theta(i)) * norm * std::sin(m * theta(j));
        }
      }
    }
    const Complex wave = std::polar(1.0, k * x * std::cos(incidence));
    // S J = u (TM); N u = -du/dy = -jk sin(phi) u (TE)
    b(i) = te ? -Complex(0, k * std::sin(incidence)) * wave : wave;
  }
  const Eigen::VectorXcd density = a.partialPivLu().solve(b);
  std::vector<double> widths;
  for (const double p : phi) {
    Complex f = 0;
    for (int j = 0; j < n; ++j) {
      const Complex wave = std::polar(1.0, k * std::cos(theta(j)) * std::cos(p)) * (pi / n);
      f += te ? Complex(0, k * std::sin(p)) * density(j) * std::sin(theta(j)) * wave : density(j) * wave;
    }
    widths.push_back(std::norm(f) / (4 * k));
  }
  return widths;
}

double largest_error(const std::vector<double>& value, const std::vector<double>& exact) {
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    wrong = std::max(wrong, std::abs(value[i] - exact[i]));
    size = std::max(size, exact[i]);
  }
  return wrong / size;
}

Problem strip(double k, bool te, int grading) {
  Problem p;
  p.wavenumber = k;
  p.polarization = te ? Polarization::te : Polarization::tm;
  p.equation = Equation::efie;
  Body body;
  body.contour = make_strip({-1, 0}, {1, 0}, {4, grading});
  p.bodies = {body};
  return p;
}

TEST(Strip, GradedCellsConvergeExponentiallyToTheSpectralSolution) {
  for (const bool te : {false, true}) {
    const auto exact = spectral_strip(3.0, te, 0.7, observation());
    double last = 0;
    for (const int grading : {4, 10, 16, 22}) {
      const double error =
          largest_error(echo_width(solve(strip(3.0, te, grading), {0.7}, {}), 0, observation()), exact);
      // The error in the last cell falls with its width, 2^-grading.
      if (last > 0) {
        EXPECT_LT(error, std::max(last / 16, 2e-9)) << grading << te;
      }
      last = error;
    }
    EXPECT_LT(last, 1e-7) << te;
  }
}

TEST(Square, ThreeEquationsAgree) {
  for (const bool te : {false, true}) {
    Problem p;
    p.wavenumber = 5;
    p.polarization = te ? Polarization::te : Polarization::tm;
    Body body;
    body.contour = make_rectangle({0.2, 0.1}, {1, 1}, 0.2, {8, 20});
    p.bodies = {body};
    std::vector<std::vector<double>> widths;
    for (const auto equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
      p.equation = equation;
      const auto s = solve(p, {0.3}, {});
      widths.push_back(echo_width(s, 0, observation()));
      EXPECT_LT(cross_sections(s, 0).imbalance, 2e-6) << te << int(equation);
    }
    EXPECT_LT(largest_error(widths[0], widths[2]), 5e-6) << te;
    EXPECT_LT(largest_error(widths[1], widths[2]), 5e-6) << te;
  }
}

TEST(Square, CurrentGrowsAtCornersAsTheoryDemands) {
  // TM at a right-angled edge: J ~ d^(-1/3) (Meixner 1972).
  Problem p;
  p.wavenumber = 3;
  Body body;
  body.contour = make_rectangle({0, 0}, {1, 1}, 0, {4, 20});
  p.bodies = {body};
  const auto s = solve(p, {pi / 4}, {});
  const auto at = [&](int node) { return std::abs(surface_current(s, 0, node)); };
  const auto distance = [&](int node) {
    return s.nodes.x[std::size_t(node)] + 0.5;
  };                                    // from the corner (-1/2, -1/2)
  const int near = 3 * 8, far = 9 * 8;  // first nodes of the fourth and tenth cell
  EXPECT_NEAR(std::log(at(near) / at(far)) / std::log(distance(near) / distance(far)), -1.0 / 3, 0.01);
}

}  // namespace
}  // namespace curlew::mom2d
