// SPDX-License-Identifier: BSD-3-Clause
// Hankel functions against the integral of K_nu along a path of steepest descent, in long double.

#include "green/hankel.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "base/constants.hpp"
#include "green/hankel_batch.hpp"

namespace curlew::green {
namespace {

using Long = std::complex<long double>;

/// K_nu(w) = 1/2 int exp(-w cosh t + nu t) dt over t = u - j arg(w) tanh(u): no oscillation, the trapezoidal
/// rule converges geometrically. DLMF 10.32.9 with the path turned.
Long bessel_k(int nu, Long w) {
  const long double angle = std::arg(w), step = 0.02L / std::sqrt(1 + std::abs(w) / 100);  // the peak's width
  const Long i(0, 1);
  Long sum = 0;
  const int last = int(30 / std::sqrt(1 + std::abs(w) / 100) / step);
  for (int n = -last; n <= last; ++n) {
    const long double u = n * step, th = std::tanh(u);
    const Long t = u - i * angle * th;
    const Long derivative = 1.0L - i * angle * (1 - th * th);
    const Long exponent = -w * (std::cosh(t) - 1.0L) + (long double)nu * t;
    if (exponent.real() > -60) sum += std::exp(exponent) * derivative;
  }
  return 0.5L * step * sum * std::exp(-w);
}

struct Reference {
  Long h0, h1;
};
Reference reference(Complex z) {
  const Long w = Long(0, 1) * Long(z.real(), z.imag());
  const Long c = 2 / std::numbers::pi_v<long double>;
  return {Long(0, 1) * c * bessel_k(0, w), -c * bessel_k(1, w)};
}

double relative_error(Complex value, Long exact) {
  return double(std::abs(Long(value.real(), value.imag()) - exact) / std::abs(exact));
}

TEST(Hankel, RealArgumentsToFourteenDigits) {
  std::vector<double> x;
  for (int i = 0; i <= 120; ++i) x.push_back(std::exp(-14 + i * 0.18));
  for (int i = 0; i < 60; ++i) x.push_back(7.7 + 0.01 * i);  // across the border of the two forms
  std::vector<Complex> h0(x.size()), h1(x.size()), h0_alone(x.size());

  hankel2(x.data(), Offset(x.size()), h0.data(), h1.data());
  hankel2(x.data(), Offset(x.size()), h0_alone.data());

  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto exact = reference(x[i]);
    EXPECT_LT(relative_error(h0[i], exact.h0), 1e-14) << x[i];
    EXPECT_LT(relative_error(h1[i], exact.h1), 1e-14) << x[i];
    EXPECT_EQ(h0[i], h0_alone[i]);
    const auto one = hankel2(x[i]);
    EXPECT_LT(std::abs(Complex(one.h0.re, one.h0.im) - h0[i]), 3e-15 * std::abs(h0[i])) << x[i];
    EXPECT_LT(std::abs(Complex(one.h1.re, one.h1.im) - h1[i]), 3e-15 * std::abs(h1[i])) << x[i];
  }
}

TEST(Hankel, ComplexArgumentsToFourteenDigits) {
  std::vector<Complex> z;
  for (int i = 0; i < 40; ++i) {
    for (int j = 0; j <= 12; ++j) z.push_back(std::polar(std::exp(-9 + i * 0.37), -pi * j / 12.0));
  }
  for (auto& v : z) v.imag(std::min(v.imag(), -0.0));
  std::vector<Complex> h0(z.size()), h1(z.size());

  hankel2(z.data(), Offset(z.size()), h0.data(), h1.data());

  for (std::size_t i = 0; i < z.size(); ++i) {
    if (z[i].imag() < -600) continue;  // underflow
    const auto exact = reference(z[i]);
    EXPECT_LT(relative_error(h0[i], exact.h0), 1e-14) << z[i];
    EXPECT_LT(relative_error(h1[i], exact.h1), 1e-14) << z[i];
  }
}

TEST(Hankel, LibraryFunctionsAgree) {
  for (double x = 0.05; x < 90; x *= 1.37) {
    const Complex h0(std::cyl_bessel_j(0.0, x), -std::cyl_neumann(0.0, x));
    const auto ours = hankel2_0(x);
    EXPECT_LT(std::abs(Complex(ours.re, ours.im) - h0), 1e-12 * std::abs(h0)) << x;
  }
}

}  // namespace
}  // namespace curlew::green
