// SPDX-License-Identifier: BSD-3-Clause
// Several bodies, dielectrics, coatings, impedances: against series, and laws that every scatterer obeys.

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>

#include "base/constants.hpp"
#include "mom2d/far_field.hpp"
#include "mom2d/near_field.hpp"
#include "series.hpp"

namespace curlew::mom2d {
namespace {

using series::Long;

constexpr double incidence = 0.4;  // rad

std::vector<double> observation() {
  std::vector<double> phi;
  for (int a = 0; a < 20; ++a) phi.push_back(0.1 + 2 * pi * a / 20);
  return phi;
}

double largest_error(const std::vector<Complex>& value, const std::vector<Complex>& exact) {
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    wrong = std::max(wrong, std::abs(value[i] - exact[i]));
    size = std::max(size, std::abs(exact[i]));
  }
  return wrong / size;
}

Body circle_body(const char* name, Point2 center, double radius, int cells) {
  Body body;
  body.contour = make_circle(center, radius, {cells, 0});
  body.contour.name = name;
  return body;
}

/// F of outgoing waves a_m H_m(kr) exp(jm phi), m = -last..last, where a_m depends on |m| only:
/// u_s = sum j^m a_m H_m exp(jm(phi - incidence)), F = 4j sum (-1)^m a_m exp(jm(phi - incidence)).
std::vector<Complex> far_of_circle(const std::vector<Long>& a, const std::vector<double>& phi) {
  std::vector<Complex> f;
  for (const double p : phi) {
    Long sum = 0;
    for (std::size_t m = 0; m < a.size(); ++m) {
      sum +=
          (m == 0 ? 1.0L : 2.0L) * (m % 2 ? -1.0L : 1.0L) * a[m] * std::cos((long double)m * (p - incidence));
    }
    f.push_back(Complex(Long(0, 4) * sum));
  }
  return f;
}

/// a_m of a circle of radius a on which u' = admittance_m u inside: u is J_m + a_m H_m outside, prime by k0
/// r.
template <class F>
std::vector<Long> circle_coefficients(double k0a, F&& admittance) {
  const int last = series::num_terms(k0a);
  const auto j = series::bessel_j(last + 1, Long(k0a));
  const auto y = series::bessel_y(last + 1, k0a);
  std::vector<Long> a;
  for (int m = 0; m <= last; ++m) {
    const auto h = series::h_pair(j, y, m, k0a), b = series::j_pair(j, m, Long(k0a));
    const Long q = admittance(m);
    a.push_back(-(b.d - q * b.f) / (h.d - q * h.f));
  }
  return a;
}

TEST(Dielectric, CircleAgainstTheSeries) {
  // Lossy, magnetic, TM and TE. v = (du/dn)/factor is continuous.
  const double k0 = 5;
  for (const Material material :
       {Material{{2.56, 0}, 1.0}, Material{{3, -0.5}, {1.4, -0.1}}, Material{{-8, -0.6}, 1.0}}) {
    for (const bool te : {false, true}) {
      const Long k1(wavenumber_in(material, k0) / k0), factor(te ? material.epsilon_r : material.mu_r);
      const int last = series::num_terms(k0 * std::abs(k1));
      const auto inside = series::bessel_j(last + 1, k1 * Long(k0));
      const auto a = circle_coefficients(k0, [&](int m) {
        const auto b = series::j_pair(inside, m, k1 * Long(k0));
        return b.d * k1 / (factor * b.f);
      });
      Problem p;
      p.wavenumber = k0;
      p.polarization = te ? Polarization::te : Polarization::tm;
      p.nodes = 10;
      p.bodies = {circle_body("rod", {0, 0}, 1, 20)};
      p.bodies[0].boundary = Boundary::dielectric;
      p.bodies[0].material = material;
      const auto s = solve(p, {incidence}, {});
      EXPECT_LT(largest_error(far_amplitude(s, 0, observation()), far_of_circle(a, observation())), 1e-9)
          << material.epsilon_r << " te " << te;
      EXPECT_LT(cross_sections(s, 0).imbalance, 1e-9) << material.epsilon_r << te;
    }
  }
}

TEST(Dielectric, CoatedConductorAgainstTheSeries) {
  const double k0 = 3, core = 0.7;
  const Material coat{{3.0, 0}, {1.2, 0}};
  for (const bool te : {false, true}) {
    const double k1 = wavenumber_in(coat, k0).real(), factor = te ? 3.0 : 1.2;
    const int last = series::num_terms(k1) + 30;
    const auto ja = series::bessel_j(last + 1, Long(k1)), jb = series::bessel_j(last + 1, Long(k1 * core));
    const auto ya = series::bessel_y(last + 1, k1), yb = series::bessel_y(last + 1, k1 * core);
    const auto a = circle_coefficients(k0, [&](int m) {
      // H = J - jY: with f = J Y(b) - Y J(b) (TM) or of the derivatives (TE) the field obeys the core's
      // condition.
      const auto oj = series::j_pair(ja, m, Long(k1)), oh = series::h_pair(ja, ya, m, k1);
      const auto ij = series::j_pair(jb, m, Long(k1 * core)), ih = series::h_pair(jb, yb, m, k1 * core);
      const Long p = te ? ih.d : ih.f, q = te ? ij.d : ij.f;
      return (oj.d * p - oh.d * q) * (long double)(k1 / k0 / factor) / (oj.f * p - oh.f * q);
    });
    Problem p;
    p.wavenumber = k0;
    p.polarization = te ? Polarization::te : Polarization::tm;
    p.nodes = 8;
    p.bodies = {circle_body("coat", {0, 0}, 1, 20), circle_body("core", {0, 0}, core, 16)};
    p.bodies[0].boundary = Boundary::dielectric;
    p.bodies[0].material = coat;
    const auto s = solve(p, {incidence}, {});
    EXPECT_LT(largest_error(far_amplitude(s, 0, observation()), far_of_circle(a, observation())), 1e-8) << te;
  }
}

TEST(Impedance, CircleAgainstTheSeries) {
  // Ez = Zs Jz: u = -j zeta u' (TM); Et = Zs Jt: u' = j zeta u (TE).
  const double k0 = 4;
  const Complex zs(80, 120);
  const Long zeta(zs / vacuum_impedance);
  for (const bool te : {false, true}) {
    const auto a = circle_coefficients(k0, [&](int) { return te ? Long(0, 1) * zeta : Long(0, 1) / zeta; });
    for (const auto equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
      Problem p;
      p.wavenumber = k0;
      p.polarization = te ? Polarization::te : Polarization::tm;
      p.equation = equation;
      p.bodies = {circle_body("wall", {0, 0}, 1, 16)};
      p.bodies[0].boundary = Boundary::impedance;
      p.bodies[0].surface_impedance = zs;
      const auto s = solve(p, {incidence}, {});
      EXPECT_LT(largest_error(far_amplitude(s, 0, observation()), far_of_circle(a, observation())), 1e-9)
          << te << int(equation);
      EXPECT_LT(cross_sections(s, 0).imbalance, 1e-9) << te << int(equation);
    }
  }
}

/// Far amplitudes of two conducting circles by the addition theorem (Graf): outgoing waves of one are
/// standing waves at the other, H_m(k r_q) exp(jm phi_q) = sum_n H_{m-n}(kd) exp(j(m-n) theta) J_n(k r_p)
/// exp(jn phi_p).
std::vector<Complex> two_circles(double k, const Point2* center, const double* radius, bool te,
                                 const std::vector<double>& phi) {
  const int last = 36, count = 2 * last + 1;
  Eigen::MatrixXcd a = Eigen::MatrixXcd::Identity(2 * count, 2 * count);
  Eigen::VectorXcd b(2 * count);
  const auto signed_order = [](const std::vector<Complex>& h, int m) {
    return (m < 0 && m % 2 ? -1.0 : 1.0) * h[std::size_t(std::abs(m))];
  };
  const auto hankel_orders = [](double x, int n) {
    const auto j = series::bessel_j(n, Long(x));
    const auto y = series::bessel_y(n, x);
    std::vector<Complex> h;
    for (int m = 0; m <= n; ++m) h.push_back(Complex(j[std::size_t(m)] - Long(0, 1) * y[std::size_t(m)]));
    return h;
  };
  // Unknowns are a_m H_m(k radius), which keeps the matrix scaled.
  std::vector<Complex> standing[2], outgoing[2];
  for (int p = 0; p < 2; ++p) {
    const double ka = k * radius[p];
    const auto j = series::bessel_j(last + 1, Long(ka));
    const auto y = series::bessel_y(last + 1, ka);
    for (int n = -last; n <= last; ++n) {
      const auto h = series::h_pair(j, y, std::abs(n), ka), s = series::j_pair(j, std::abs(n), Long(ka));
      const double sign = n < 0 && n % 2 ? -1 : 1;
      standing[p].push_back(sign * Complex(te ? s.d : s.f));
      outgoing[p].push_back(sign * Complex(te ? h.d : h.f));
    }
  }
  for (int p = 0; p < 2; ++p) {
    const int q = 1 - p;
    const double dx = center[p].x - center[q].x, dy = center[p].y - center[q].y;
    const auto between = hankel_orders(k * std::hypot(dx, dy), 2 * last);
    const Complex phase =
        std::polar(1.0, k * (center[p].x * std::cos(incidence) + center[p].y * std::sin(incidence)));
    for (int n = -last; n <= last; ++n) {
      const Complex s = standing[p][std::size_t(n + last)];
      b(p * count + n + last) = -s * phase * std::pow(Complex(0, 1), n) * std::polar(1.0, -n * incidence);
      for (int m = -last; m <= last; ++m) {
        a(p * count + n + last, q * count + m + last) = s * signed_order(between, m - n) /
                                                        outgoing[q][std::size_t(m + last)] *
                                                        std::polar(1.0, (m - n) * std::atan2(dy, dx));
      }
    }
  }
  const Eigen::VectorXcd x = a.partialPivLu().solve(b);
  std::vector<Complex> f;
  for (const double o : phi) {
    Complex sum = 0;
    for (int p = 0; p < 2; ++p) {
      const Complex phase = std::polar(1.0, k * (center[p].x * std::cos(o) + center[p].y * std::sin(o)));
      for (int n = -last; n <= last; ++n) {
        sum += phase * x(p * count + n + last) / outgoing[p][std::size_t(n + last)] *
               std::pow(Complex(0, 1), n) * std::polar(1.0, n * o);
      }
    }
    f.push_back(Complex(0, 4) * sum);
  }
  return f;
}

TEST(TwoCircles, AgainstTheAdditionTheorem) {
  const Point2 center[] = {{-1.1, 0.2}, {1.0, -0.3}};
  const double radius[] = {1.0, 0.6}, k = 4;
  for (const bool te : {false, true}) {
    for (const auto equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
      Problem p;
      p.wavenumber = k;
      p.polarization = te ? Polarization::te : Polarization::tm;
      p.equation = equation;
      p.bodies = {circle_body("left", center[0], radius[0], 24),
                  circle_body("right", center[1], radius[1], 16)};
      const auto s = solve(p, {incidence}, {});
      EXPECT_LT(largest_error(far_amplitude(s, 0, observation()),
                              two_circles(k, center, radius, te, observation())),
                1e-9)
          << te << int(equation);
    }
  }
}

TEST(NearField, OfADielectricCircleInsideAndOutside) {
  const double k0 = 3;
  const Material material{{2.5, -0.3}, 1.0};
  const Long k1(wavenumber_in(material, k0));
  Problem p;
  p.wavenumber = k0;
  p.nodes = 10;
  p.bodies = {circle_body("rod", {0, 0}, 1, 16)};
  p.bodies[0].boundary = Boundary::dielectric;
  p.bodies[0].material = material;
  const auto s = solve(p, {incidence}, {});
  // Points down to 1e-6 from the contour, on both sides.
  std::vector<Point2> points;
  for (const double r : {0.3, 0.9, 0.999999, 1.000001, 1.01, 2.5})
    points.push_back({r * std::cos(1.3), r * std::sin(1.3)});
  std::vector<int> regions;
  const auto field = total_field(s, 0, points, &regions);

  const int last = series::num_terms(10);
  const auto ja = series::bessel_j(last + 1, Long(k0)), inside_a = series::bessel_j(last + 1, k1);
  const auto ya = series::bessel_y(last + 1, k0);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double r = std::hypot(points[i].x, points[i].y);
    EXPECT_EQ(regions[i], r < 1 ? 1 : 0);
    const auto jr = series::bessel_j(last, r < 1 ? k1 * Long(r) : Long(k0 * r));
    const auto yr = series::bessel_y(last, k0 * r);
    Long sum = 0;
    for (int m = 0; m <= std::min(last, 30); ++m) {
      const auto h = series::h_pair(ja, ya, m, k0), b = series::j_pair(ja, m, Long(k0)),
                 c = series::j_pair(inside_a, m, k1);
      const Long q = c.d * k1 / (Long(k0) * c.f), a = -(b.d - q * b.f) / (h.d - q * h.f);
      const Long jm = jr[std::size_t(m)];
      const Long u = r < 1 ? (b.f + a * h.f) / c.f * jm : jm + a * (jm - Long(0, 1) * yr[std::size_t(m)]);
      sum += (m == 0 ? 1.0L : 2.0L) * std::pow(Long(0, 1), m) * u * std::cos(m * (1.3L - incidence));
    }
    EXPECT_LT(std::abs(field[i] - Complex(sum)), 1e-9) << r;
  }
}

TEST(NearField, OnContoursIsThatJustOutside) {
  Problem p;
  p.wavenumber = 3;
  p.equation = Equation::efie;
  p.nodes = 8;
  Body box, sheet;
  box.contour = make_rectangle({0, 0}, {1, 1}, 0, {8, 16});
  sheet.contour = make_strip({2, -0.5}, {2, 0.5}, {8, 16});
  p.bodies = {box, sheet};
  const auto s = solve(p, {incidence}, {});
  std::vector<int> regions;

  const auto field =
      total_field(s, 0, {{0.5, 0.5}, {0.5, 0.1}, {-0.5, 0}, {2, -0.5}, {2, 0.1}, {2, 0.5}}, &regions);

  for (std::size_t i = 0; i < field.size(); ++i) {  // E along conductors; it grows like a root from edges
    EXPECT_EQ(regions[i], 0);
    EXPECT_LT(std::abs(field[i]), 1e-3) << i;
  }
}

TEST(NearField, OnADielectricContourIsItsUnknown) {
  Problem p;
  p.wavenumber = 3;
  p.polarization = Polarization::te;
  p.nodes = 8;
  p.bodies = {circle_body("rod", {5, 0}, 1, 16)};
  p.bodies[0].boundary = Boundary::dielectric;
  p.bodies[0].material = {{2.5, -0.3}, 1.0};
  const auto s = solve(p, {incidence}, {});
  std::vector<Point2> points;
  for (std::size_t i = 0; i < s.nodes.x.size(); i += 5) points.push_back({s.nodes.x[i], s.nodes.y[i]});

  const auto field = total_field(s, 0, points);

  for (std::size_t i = 0; i < points.size(); ++i) EXPECT_LT(std::abs(field[i] - s.u[5 * i]), 2e-6) << i;
}

/// An ellipse, another one with a core, and an impedance: nothing symmetric.
Problem crowd(bool te, bool lossless) {
  Problem p;
  p.wavenumber = 3;
  p.polarization = te ? Polarization::te : Polarization::tm;
  p.nodes = 8;
  Body a, b;
  a.contour = make_ellipse({0, 0}, {0.8, 0.4}, 0.3, {14, 0});
  a.contour.name = "box";
  b.contour = make_ellipse({2, 0.3}, {0.5, 0.8}, 0.2, {12, 0});
  b.contour.name = "shell";
  b.boundary = Boundary::dielectric;
  b.material = {{2.5, lossless ? 0 : -0.4}, 1.1};
  p.bodies = {a, b, circle_body("core", {2.1, 0.2}, 0.25, 8)};
  if (!lossless) {
    p.bodies.push_back(circle_body("wall", {0.5, 3}, 0.5, 10));
    p.bodies[3].boundary = Boundary::impedance;
    p.bodies[3].surface_impedance = {50, 20};
  }
  return p;
}

TEST(Invariants, OpticalTheoremAndReciprocity) {
  for (const bool te : {false, true}) {
    for (const bool lossless : {true, false}) {
      const std::vector<double> phi{0.3, 2.1};
      const auto s = solve(crowd(te, lossless), phi, {});
      const Complex there = far_amplitude(s, 0, {phi[1]})[0], back = far_amplitude(s, 1, {phi[0]})[0];
      EXPECT_LT(std::abs(there - back), 1e-9 * std::abs(there)) << te << lossless;
      const auto c = cross_sections(s, 0);
      EXPECT_LT(c.imbalance, 1e-9) << te << lossless;
      if (lossless) {
        EXPECT_NEAR(c.absorption, 0, 1e-9 * c.extinction);
      } else {
        EXPECT_GT(c.absorption, 0.01 * c.extinction);
      }
    }
  }
}

}  // namespace
}  // namespace curlew::mom2d
