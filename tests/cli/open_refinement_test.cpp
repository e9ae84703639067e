// SPDX-License-Identifier: BSD-3-Clause
// Waves and dipoles in open space from geometries without sizes: passes against series that share nothing
// with the cells.

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

class OpenRefinement : public SummaryTest {
 protected:
  /// k = 1.5/m around a sphere of 1 m.
  static std::string config(const std::string& parameters, const std::string& more) {
    return "[mesh]\nfile = '" + test::source_dir() +
           "/tests/data/sphere_in_layer_unsized.geo'\nunit = 'm'\norder = 2\nparameters = { " + parameters +
           " }\n[space]\norder = 2\n[frequency]\nvalues = [71569177.0]\n[[material]]\nregion = ['air', "
           "'pml']\n[[pml]]\nregion = 'pml'\ncenter = [0, 0, 0]\nreflection = 1e-4\n[[boundary]]\nregion = "
           "'back'\ntype = 'pec'\n[accuracy]\nestimate = 'off'\n[output]\nfields = false\nfar_field = { "
           "theta = "
           "[0, 180, 19], phi = [0, 90, 2] }\n" +
           more;
  }
  /// Errors of the values of all passes are within their bars, and these at most so many times the errors.
  void expect_bars(double exact, double most) const {
    const auto passes = io::read_csv(path("out/passes.csv"));
    const auto values = passes.numbers("re_value"), bars = passes.numbers("estimated_error");
    ASSERT_GE(passes.num_rows, 2U);
    for (std::size_t i = 0; i < passes.num_rows; ++i) {
      const double error = std::abs(values[i] / exact - 1);
      EXPECT_LT(error, bars[i]) << i;
      EXPECT_GT(most * error, bars[i]) << i;
    }
    EXPECT_LT(bars.back(), bars.front());
    EXPECT_FALSE(exists("out/refinement.h5"));
  }
  /// At the last frequency.
  void expect_section_bars(const Mie& mie, const std::string& folder) const {
    const auto errors = io::read_csv(path(folder + "/errors.csv"));
    const auto& quantities = errors.text.at("quantity");
    for (const auto& [name, angle] : {std::pair{"greatest RCS", 0.0}, std::pair{"backscatter RCS", pi}}) {
      const auto found = std::ranges::find(quantities.rbegin(), quantities.rend(), name);
      ASSERT_NE(found, quantities.rend()) << name;
      const auto row = std::size_t(quantities.rend() - found) - 1;
      const double error = std::abs(errors.numbers("value")[row] -
                                    std::sqrt(mie.rcs(angle, 0).total() / (4 * pi))),
                   bar = errors.numbers("error")[row];
      EXPECT_LT(error, bar) << folder << " " << name;
      EXPECT_GT(50 * error, bar) << folder << " " << name;
    }
  }
  /// 0.2 dB of the greatest, in all directions of the cuts.
  void expect_cuts(const Mie& mie) const {
    const auto table = io::read_csv(path("out/rcs.csv"));
    const auto theta = table.numbers("theta_deg"), phi = table.numbers("phi_deg"),
               rcs = table.numbers("rcs_m2");
    ASSERT_EQ(rcs.size(), 38U);
    for (std::size_t i = 0; i < rcs.size(); ++i)
      EXPECT_NEAR(rcs[i], mie.rcs(theta[i] * pi / 180, phi[i] * pi / 180).total(),
                  0.047 * mie.rcs(0, 0).total())
          << theta[i] << " " << phi[i];
  }
};

/// A quarter between planes of symmetry, whose dual waves are means over images.
TEST_F(OpenRefinement, DielectricSphereWithinADefaultTolerance) {
  write("sphere.toml",
        config("quarter = 1",
               "[[boundary]]\nregion = 'x_plane'\ntype = 'pec'\n[[boundary]]\nregion = "
               "'y_plane'\ntype = 'pmc'\n[[symmetry]]\naxis = 'x'\ntype = "
               "'pec'\n[[symmetry]]\naxis = 'y'\ntype = 'pmc'\n[[material]]\nregion = "
               "'body'\nepsilon_r = 4.0\n[excitation]\ntype = 'plane_wave'\ntheta = [180.0]\nphi = [0.0]\n"));
  const Ended ended = run("fem-solve sphere.toml -o out --set accuracy.estimate=auto");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(summary()["results"]["refinement"]["converged"]);
  const Mie mie(dielectric_sphere(1, 4), 1.5);
  expect_bars(mie.rcs(0, 0).total(), 50);
  expect_cuts(mie);
  expect_section_bars(mie, "out");
  // With several frequencies the bars are from residuals, not from a second solution.
  ASSERT_EQ(
      run("fem-solve sphere.toml -o two --set accuracy.estimate=auto --set refinement.max_passes=1 --set "
          "frequency.values=[7e7,71569177.0]")
          .status,
      0);
  expect_section_bars(mie, "two");
}

/// The series of a dipole along the radius at b outside of a conducting sphere, as e^(jk b cos) expanded in
/// Legendre polynomials is that of the dipole alone. Source: Harrington (2001), section 6-9.
double gain_over_sphere(double ka, double kb) {
  const auto hankel = [](int n, double x) {
    return std::complex<double>(std::sph_bessel(unsigned(n), x), -std::sph_neumann(unsigned(n), x));
  };
  const auto slope = [](auto f, int n, double x) { return double(n + 1) * f(n, x) - x * f(n + 1, x); };
  const auto bessel = [](int n, double x) { return std::sph_bessel(unsigned(n), x); };
  double greatest = 0, power = 0;
  const int steps = 720;
  for (int i = 0; i < steps; ++i) {
    const double theta = (i + 0.5) * pi / steps, c = std::cos(theta);
    std::complex<double> e = 0, turn(0, 1);
    for (int n = 1; n < 25; ++n, turn *= std::complex<double>(0, 1)) {
      const double by_theta =  // dP_n/dtheta
          -n * (std::legendre(unsigned(n - 1), c) - c * std::legendre(unsigned(n), c)) / std::sin(theta);
      const auto reflection = slope(bessel, n, ka) / slope(hankel, n, ka);
      e += (2 * n + 1.0) * turn * (bessel(n, kb) - reflection * hankel(n, kb)) * by_theta;
    }
    greatest = std::max(greatest, std::norm(e));
    power += 0.5 * std::norm(e) * std::sin(theta) * pi / steps;
  }
  return greatest / power;
}

TEST_F(OpenRefinement, GainOfADipoleNextToASphere) {
  write("dipole.toml",
        config("quarter = 0, air = 0.7, layer = 0.8",
               "[[boundary]]\nregion = 'body_surface'\ntype = 'pec'\n[[material]]\nregion = "
               "'body'\n[excitation]\ntype = 'dipole'\nposition = [0.0, 0.0, 1.4]\ndirection = [0.0, 0.0, "
               "1.0]\n[refinement]\nmax_passes = 2\n"));
  const Ended ended = run("fem-solve dipole.toml -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_bars(gain_over_sphere(1.5, 2.1), 10);
}

}  // namespace
}  // namespace curlew::test
