// SPDX-License-Identifier: BSD-3-Clause
// Conducting circles against the eigenfunction series: currents, echo widths, rates of convergence,
// resonances, power balance.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/constants.hpp"
#include "mom2d/far_field.hpp"
#include "series.hpp"

namespace curlew::mom2d {
namespace {

using series::Long;

/// Exact surface fields and far amplitudes of a conducting circle of radius 1 m, wave from phi = 0.
/// Surface: v = 2j/(pi ka) sum j^m cos(m phi)/H_m (TM), u = -2j/(pi ka) sum j^m cos(m phi)/H_m' (TE), by the
/// Wronskian; far: F = -4j sum (-1)^m cos(m phi) J_m/H_m (TM), of the derivatives (TE).
class ExactCircle {
 public:
  ExactCircle(double ka, bool te) {
    const int last = series::num_terms(ka);
    const auto j = series::bessel_j(last + 1, Long(ka));
    const auto y = series::bessel_y(last + 1, ka);
    for (int m = 0; m <= last; ++m) {
      const auto h = series::h_pair(j, y, m, ka), b = series::j_pair(j, m, Long(ka));
      const Long unit = (m == 0 ? 1.0L : 2.0L) * std::pow(Long(0, 1), m), c = Long(0, 2 / (pi * ka));
      surface_.push_back(te ? -unit * c / h.d : unit * c / h.f);
      far_.push_back(Long(0, -4) * (m == 0 ? 1.0L : 2.0L) * (m % 2 ? -1.0L : 1.0L) *
                     (te ? b.d / h.d : b.f / h.f));
    }
  }
  Complex surface(double phi) const { return sum(surface_, phi); }
  Complex far(double phi) const { return sum(far_, phi); }

 private:
  static Complex sum(const std::vector<Long>& c, double phi) {
    Long s = 0;
    for (int m = int(c.size()) - 1; m >= 0; --m) s += c[std::size_t(m)] * std::cos(m * (long double)phi);
    return Complex(s);
  }
  std::vector<Long> surface_, far_;
};

struct Errors {
  double surface, far, imbalance;
};

/// Largest errors over the largest value.
Errors errors_of(const Solution& s, const ExactCircle& exact) {
  const bool te = s.problem.polarization == Polarization::te;
  double wrong = 0, size = 0, far_wrong = 0, far_size = 0;
  for (std::size_t i = 0; i < s.nodes.x.size(); ++i) {
    const Complex e = exact.surface(std::atan2(s.nodes.y[i], s.nodes.x[i]));
    wrong = std::max(wrong, std::abs((te ? s.u[i] : s.v[i]) - e));
    size = std::max(size, std::abs(e));
  }
  std::vector<double> phi;
  for (int a = 0; a < 24; ++a) phi.push_back(2 * pi * a / 24);
  const auto far = far_amplitude(s, 0, phi);
  for (std::size_t a = 0; a < phi.size(); ++a) {
    const Complex e = exact.far(phi[a]);
    far_wrong = std::max(far_wrong, std::abs(far[a] - e));
    far_size = std::max(far_size, std::abs(e));
  }
  return {wrong / size, far_wrong / far_size, cross_sections(s, 0).imbalance};
}

Problem circle(double ka, bool te, Equation equation, int nodes, int cells) {
  Problem p;
  p.wavenumber = ka;
  p.polarization = te ? Polarization::te : Polarization::tm;
  p.equation = equation;
  p.nodes = nodes;
  Body body;
  body.contour = make_circle({0, 0}, 1, {cells, 0});
  p.bodies = {body};
  return p;
}

TEST(Circle, LcnErrorFallsWithTwiceTheNodesUntilElevenDigits) {
  for (const bool te : {false, true}) {
    const ExactCircle exact(1.0, te);
    for (const Equation equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
      for (const int q : {1, 2, 3, 4, 6, 8, 12}) {
        Errors last{1, 1, 1};
        for (int cells = q < 3 ? 32 : 8; cells * q <= 200; cells *= 2) {
          const auto now = errors_of(solve(circle(1.0, te, equation, q, cells), {0.0}, {}), exact);
          const auto falls = [&](double before, double after, const char* what) {
            if (after < 2e-12) return;  // rounding times the condition
            EXPECT_GT(std::log2(before / after), 2 * q - 1 - 0.25)
                << what << ", q " << q << ", cells " << cells << ", te " << te << ", equation "
                << int(equation);
          };
          if (last.surface < 1) {
            falls(last.surface, now.surface, "current");
            falls(last.far, now.far, "far field");
          }
          last = now;
        }
      }
    }
  }
}

TEST(Circle, PulsesConvergeAsTheirTheorySays) {
  // The paper's one-point entries and diagonal are of first order; integrated entries of second.
  const ExactCircle exact(2.0, false);
  Errors last_paper{1, 1, 1}, last{1, 1, 1};
  for (const int cells : {40, 80, 160, 320}) {
    Problem p = circle(2.0, false, Equation::efie, 1, cells);
    p.method = Method::mom;
    const auto accurate = errors_of(solve(p, {0.0}, {}), exact);
    p.paper_mom = true;
    const auto paper = errors_of(solve(p, {0.0}, {}), exact);
    if (last.surface < 1) {
      EXPECT_GT(std::log2(last_paper.surface / paper.surface), 0.95) << cells;
      EXPECT_GT(std::log2(last_paper.far / paper.far), 0.95) << cells;
      EXPECT_GT(std::log2(last.surface / accurate.surface), 1.7) << cells;
    }
    last_paper = paper, last = accurate;
  }
}

/// The classical scheme takes the current from the nodes of one cell: near entries of order q, whatever the
/// far ones reach. Powers of the cells' size for q = 1 ... 5, docs/theory/mom2d.md.
TEST(Circle, ClassicalNystroemIsOfTheOrderOfItsNearEntries) {
  const double slopes[2][5] = {{2, 3, 3, 4, 5}, {2, 1, 3, 3, 5}};
  for (const int te : {0, 1}) {
    const ExactCircle exact(1.0, te == 1);
    for (int q = 1; q <= 5; ++q) {
      const auto error = [&](int cells) {
        Problem p = circle(1.0, te == 1, Equation::efie, q, cells);
        p.neighbours = false;
        return errors_of(solve(p, {0.0}, {}), exact).surface;
      };
      EXPECT_NEAR(std::log2(error(24) / error(48)), slopes[te][q - 1], 0.8) << "q " << q << ", te " << te;
    }
  }
}

/// rho = eps0 E_r on the conductor, with E_r = (dHz/dphi)/(j omega eps0 a) of the series (Ampere's law) and
/// Hz = u/eta.
TEST(Circle, SurfaceChargeIsTheNormalFieldOfTheSeries) {
  const double k = 2, step = 1e-5;
  const ExactCircle exact(k, true);
  const auto s = solve(circle(k, true, Equation::cfie, 8, 16), {0.0}, {});
  const auto charge = surface_charge(s, 0);
  for (std::size_t i = 0; i < charge.size(); ++i) {
    const double phi = std::atan2(s.nodes.y[i], s.nodes.x[i]);
    const Complex slope = (exact.surface(phi + step) - exact.surface(phi - step)) / (2 * step);
    const Complex expected = slope / (Complex(0, speed_of_light * k) * vacuum_impedance);
    EXPECT_LT(std::abs(charge[i] - expected), 1e-4 * vacuum_permittivity) << phi;
  }
}

TEST(Circle, SmallAndLargeCircles) {
  for (const bool te : {false, true}) {
    for (const Equation equation : {Equation::efie, Equation::mfie, Equation::cfie}) {
      const auto small = errors_of(solve(circle(0.1, te, equation, 8, 8), {0.0}, {}), ExactCircle(0.1, te));
      EXPECT_LT(small.surface, 1e-10) << te << int(equation);
      EXPECT_LT(small.far, 1e-10) << te << int(equation);
      // k a = 100 is 0.03 from a resonance: the EFIE and the MFIE lose three digits.
      const auto large = errors_of(solve(circle(100, te, equation, 12, 80), {0.0}, {}), ExactCircle(100, te));
      EXPECT_LT(large.surface, equation == Equation::cfie ? 1e-8 : 1e-7) << te << int(equation);
      EXPECT_LT(large.imbalance, 1e-8) << te << int(equation);
    }
  }
}

TEST(Circle, EchoWidthsOfTheValidationTable) {
  // Radius one wavelength, echo width over wavelength in dB: back, forward, 90 degrees.
  const double table[2][3] = {{5.0280, 15.3888, 3.9941}, {4.6253, 12.8762, 3.2360}};
  for (const int te : {0, 1}) {
    const auto s = solve(circle(2 * pi, te, Equation::cfie, 8, 24), {0.0}, {});
    const auto width = echo_width(s, 0, {0.0, pi, pi / 2});
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(10 * std::log10(width[std::size_t(i)]), table[te][i], 6e-5) << te << i;
  }
}

TEST(Circle, InteriorResonanceIsReportedAndTheCfieDoesNotSeeIt) {
  const double ka = 2.404825557695773;  // the first zero of J0
  const ExactCircle exact(ka, false);

  const auto efie = solve(circle(ka, false, Equation::efie, 8, 16), {0.0}, {});
  const auto cfie = solve(circle(ka, false, Equation::cfie, 8, 16), {0.0}, {});
  const auto beside = solve(circle(2.0, false, Equation::efie, 8, 16), {0.0}, {});

  EXPECT_GT(efie.report.condition, 1e10);
  EXPECT_LT(beside.report.condition, 1e4);
  EXPECT_LT(cfie.report.condition, 1e3);
  EXPECT_LT(errors_of(cfie, exact).surface, 1e-11);
}

TEST(Circle, CurrentOfThePapersCaseToTenDigits) {
  // Radius one wavelength, 2500 unknowns; the paper's 2500 pulses beside it.
  const ExactCircle exact(2 * pi, false);
  Problem p = circle(2 * pi, false, Equation::efie, 10, 250);
  const auto lcn = solve(p, {0.0}, {});
  EXPECT_EQ(lcn.system.size, 2500);
  EXPECT_LT(errors_of(lcn, exact).surface, 1e-10);
  EXPECT_LT(lcn.report.residual, 1e-12);
}

}  // namespace
}  // namespace curlew::mom2d
