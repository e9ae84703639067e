// SPDX-License-Identifier: BSD-3-Clause
// Error bars as programs print them, against known answers: a bar covers the true error and is at most ten
// times as wide.

#include <cmath>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "mode_matching.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string configs = test::source_dir() + "/configs/";

class Accuracy : public SummaryTest {
 protected:
  static void expect_fair(double error, double bar, const std::string& what) {
    EXPECT_LE(error, bar) << what;
    EXPECT_LE(bar, 10 * error) << what;
  }
};

/// S11 and S21 at the ports of configs/slab.toml. Source: the head of that file (Collin 1991, chapter 6).
std::pair<Complex, Complex> slab_between_ports(double frequency, double epsilon_r) {
  const double k = 2 * pi * frequency / speed_of_light, kc = pi / 22.86e-3;
  const Complex g0 = std::sqrt(Complex(kc * kc - k * k)), g = std::sqrt(Complex(kc * kc - epsilon_r * k * k));
  const Complex rho = (g0 - g) / (g0 + g), e = std::exp(-g * 8e-3), feed = std::exp(-2.0 * g0 * 15e-3),
                denominator = 1.0 - rho * rho * e * e;
  return {rho * (1.0 - e * e) / denominator * feed, (1.0 - rho * rho) * e / denominator * feed};
}

const std::string slab = "fem-solve " + configs + "slab.toml --set output.fields=false --set mesh.size=6 ";

TEST_F(Accuracy, BarsOfAGuideCoverTheTrueError) {
  for (const std::string order : {"1", "2", "3"}) {
    const Ended ended = run(slab + "--output out --set frequency.values=8.2e9 --set space.order=" + order);
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_NE(ended.out.find("|delta S|"), std::string::npos) << ended.out;
    const auto r = results("out");
    const auto [s11, s21] = slab_between_ports(8.2e9, 2.54);
    const auto s = [&](const std::string& key) {
      const auto& z = r["s_parameters"][0][key];
      return Complex(z[0], z[1]);
    };
    const auto& bars = r["errors"][0];
    const double b11 = bars["s1_1_error"], b21 = bars["s2_1_error"];
    EXPECT_LE(std::abs(s("s1_1") - s11), b11) << order;
    EXPECT_LE(std::abs(s("s2_1") - s21), b21) << order;
    expect_fair(std::hypot(std::abs(s("s1_1") - s11), std::abs(s("s2_1") - s21)), std::hypot(b11, b21),
                "S, order " + order);
    const auto table = io::read_csv(path("out/errors.csv"));
    EXPECT_EQ(table.num_rows, 4U);
    EXPECT_NEAR(table.numbers("error")[0], b11, 1e-9);
  }
}

TEST_F(Accuracy, BarsOfACavityCoverTheTrueError) {
  const Ended ended = run("fem-solve " + configs +
                          "rectangular_cavity.toml --output out --set output.fields=false "
                          "--set mesh.size=0.35 --set analysis.modes=2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto r = results("out");
  const double exact[] = {249.827048e6, 335.178158e6};
  for (int i : {0, 1}) {
    const std::string f = "f" + std::to_string(i + 1);
    expect_fair(std::abs(r[f + "_hz"].get<double>() - exact[i]), r[f + "_error_hz"], f);
  }
}

/// Q of the mode 110 between walls of surface resistance Rs: omega W / P with W = eps0 E0^2 abd/8 and
/// P = Rs/2 int |Ht|^2, Ht of E = E0 sin(pi x/a) sin(pi y/b).
TEST_F(Accuracy, BarsOfTheQOfACavityCoverTheTrueError) {
  const Ended ended =
      run("fem-solve " + configs +
          "rectangular_cavity.toml --output out --set output.fields=false --set mesh.size=0.35 "
          "--set analysis.modes=1 --set boundary.0.type=impedance --set "
          "boundary.0.conductivity=1e5");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double a = 1, b = 0.75, d = 0.5, omega = pi * speed_of_light * std::hypot(1 / a, 1 / b),
               rs = std::sqrt(omega * vacuum_permeability / (2 * 1e5)), ka = std::pow(pi / a, 2),
               kb = std::pow(pi / b, 2), energy = vacuum_permittivity * a * b * d / 8,
               squares = (ka + kb) * a * b / 2 + ka * b * d + kb * a * d,
               q = omega * energy / (rs / 2 * squares / std::pow(omega * vacuum_permeability, 2));
  const auto r = results("out");
  const double found = r["modes"][0]["q"];
  double bar = 0;
  for (const auto& entry : r["errors"])
    if (entry.contains("q_error")) bar = entry["q_error"];
  expect_fair(std::abs(found - q), bar, "Q " + std::to_string(found) + " for " + std::to_string(q));
}

/// Straight facets in the place of a sphere of radius 1 m change the frequency of TM011, whose k is 2.7437,
/// more than the elements do.
TEST_F(Accuracy, BarsOfASphericalCavityCoverItsFacets) {
  const Ended ended = run("fem-solve " + configs +
                          "spherical_cavity.toml --output out --set output.fields=false --set mesh.size=0.6 "
                          "--set mesh.order=1 --set space.order=2 --set analysis.modes=1");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto r = results("out");
  expect_fair(std::abs(r["f1_hz"].get<double>() - 2.743707269992265 * speed_of_light / (2 * pi)),
              r["f1_error_hz"], "f1");
}

TEST_F(Accuracy, OneFrequencyOfASweepWhereSChangesFastestOrAll) {
  const std::string sweep = slab + "--set frequency.values=[8.2e9,9e9,9.2e9] --set space.order=1 ";
  ASSERT_EQ(run(sweep + "--output one --set accuracy.estimate=one").status, 0);
  ASSERT_EQ(run(sweep + "--output all --set accuracy.estimate=all").status, 0);
  ASSERT_EQ(run(sweep + "--output off --set accuracy.estimate=off").status, 0);

  EXPECT_EQ(results("one")["errors"].size(), 3U);
  EXPECT_EQ(results("all")["errors"].size(), 3U);
  const auto estimates = [&](const std::string& folder) {  // of S11
    const auto table = io::read_csv(path(folder + "/errors.csv"));
    long made = 0;
    for (std::size_t i = 0; i < table.num_rows; ++i)
      made += table.text.at("quantity")[i] == "S11" &&
              table.text.at("remark")[i].find("from other frequencies") == std::string::npos;
    return made;
  };
  EXPECT_EQ(estimates("one"), 1);
  EXPECT_EQ(estimates("all"), 3);
  EXPECT_FALSE(results("off").contains("errors"));
  EXPECT_FALSE(exists("off/errors.csv"));
}

TEST_F(Accuracy, AToleranceWarnsAndStrictEndsWithStatusOneAfterWriting) {
  const std::string one = slab + "--set frequency.values=8.2e9 --set space.order=1 ";
  const Ended loose = run(one + "--output loose --set accuracy.tolerance=10");
  const Ended warned = run(one + "--output warned --set accuracy.tolerance=1e-6");
  const Ended strict = run(one + "--output strict --set accuracy.tolerance=1e-6 --set accuracy.strict=true");
  const Ended alone = run(one + "--output alone --set accuracy.strict=true");

  EXPECT_EQ(loose.status, 0);
  EXPECT_EQ(loose.err.find("is above accuracy.tolerance"), std::string::npos) << loose.err;
  EXPECT_EQ(warned.status, 0);
  EXPECT_NE(warned.err.find("is above accuracy.tolerance = 1e-06"), std::string::npos) << warned.err;
  EXPECT_EQ(strict.status, 1);
  EXPECT_NE(strict.err.find("is above accuracy.tolerance = 1e-06"), std::string::npos) << strict.err;
  for (const char* file : {"slab.s2p", "ports.csv", "errors.csv", "solution.h5", "resolved.toml"})
    EXPECT_TRUE(exists(std::string("strict/") + file)) << file;
  const auto summary = this->summary("strict");
  EXPECT_EQ(summary["status"], "failed");
  EXPECT_EQ(summary["exit_status"], 1);
  EXPECT_TRUE(summary["results"].contains("s_parameters"));
  EXPECT_EQ(alone.status, 2);
  EXPECT_NE(alone.err.find("strict = true needs tolerance"), std::string::npos) << alone.err;
}

TEST_F(Accuracy, StrictEndsASweepWithStatusOneAfterAllOfItIsWritten) {
  const std::string sweep = slab +
                            "--set frequency.values=[8.2e9,9e9,9.2e9] --set space.order=1 --set "
                            "accuracy.tolerance=1e-6 --set accuracy.strict=true --output ";
  for (const std::string more : {"full", "fast --set frequency.adaptive_tolerance=1e-3"}) {
    const Ended ended = run(sweep + more);
    EXPECT_EQ(ended.status, 1) << ended.err;
    const auto folder = more.substr(0, 4);
    EXPECT_EQ(test::read_touchstone(path(folder + "/slab.s2p")).frequencies,
              (std::vector<double>{8.2e9, 9e9, 9.2e9}));
    EXPECT_EQ(results(folder)["s_parameters"].size(), 3U);
    EXPECT_TRUE(exists(folder + "/errors.csv"));
  }
}

/// At a single frequency, where solving again costs more than the run, bars come from residuals.
TEST_F(Accuracy, WhereSolvingAgainIsDearResidualsMakeTheBars) {
  const Ended ended = run("fem-solve " + configs +
                          "slab.toml --set output.fields=false --set mesh.size=3 --output out "
                          "--set frequency.values=8.2e9");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("from residuals in elements of the next order, at 1 of 1 frequencies"),
            std::string::npos)
      << ended.out;
  const auto r = results("out");
  const auto exact = slab_between_ports(8.2e9, 2.54);
  double error = 0, bar = 0;
  for (const int i : {0, 1}) {
    const auto& z = r["s_parameters"][0][i == 0 ? "s1_1" : "s2_1"];
    const double one = std::abs(Complex(z[0], z[1]) - (i == 0 ? exact.first : exact.second));
    const double its_bar = r["errors"][0][i == 0 ? "s1_1_error" : "s2_1_error"];
    EXPECT_LE(one, its_bar) << i;
    error = std::hypot(error, one), bar = std::hypot(bar, its_bar);
  }
  expect_fair(error, bar, "S by residuals");
}

/// S11 and S21 at the ports of configs/filter.toml, by mode matching.
std::pair<Complex, Complex> filter_between_ports(double frequency) {
  constexpr double gaps[] = {12.36e-3, 8.86e-3, 8.86e-3, 12.36e-3},
                   lengths[] = {15.31e-3, 17.02e-3, 15.31e-3};
  const reference::Guide guide(22.86e-3, frequency, 40);
  auto filter = cascade(guide.section(15e-3), guide.iris(gaps[0], 2e-3));
  for (int i = 0; i < 3; ++i)
    filter = cascade(cascade(filter, guide.section(lengths[i])), guide.iris(gaps[i + 1], 2e-3));
  filter = cascade(filter, guide.section(15e-3));
  return {filter.reflection(), filter.transmission()};
}

/// From six full solutions of an adaptive sweep every frequency has a bar that follows the error, which
/// changes by a factor of 14 over the band.
TEST_F(Accuracy, BarsOfAnAdaptiveSweepFollowTheErrorOfAFilter) {
  const Ended ended = run("fem-solve " + configs +
                          "filter.toml --set output.fields=false --set mesh.size=8 --set "
                          "mesh.parameters.edge_size=1 --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("from residuals in elements of the next order"), std::string::npos) << ended.out;
  const auto r = results("out");
  ASSERT_EQ(r["errors"].size(), 41U);
  int fair = 0;
  for (std::size_t i = 0; i < 41; ++i) {
    const auto& s = r["s_parameters"][i];
    const auto [s11, s21] = filter_between_ports(s["frequency_hz"]);
    for (const auto& [key, exact] : {std::pair{"s1_1", s11}, {"s2_1", s21}}) {
      const double error = std::abs(Complex(s[key][0], s[key][1]) - exact),
                   bar = r["errors"][i][std::string(key) + "_error"];
      EXPECT_LE(error, bar) << key << " " << i;
      fair += bar <= 7 * error;
    }
  }
  EXPECT_GE(fair, 74);  // of 82
}

/// For a non-reciprocal medium no dual problem is solved: the run only suggests an estimate.
TEST_F(Accuracy, WhereResidualsSayNothingAnEstimateIsOffered) {
  const Ended ended = run("fem-solve " + configs +
                          "slab.toml --set output.fields=false --set mesh.size=3 --output out "
                          "--set frequency.values=8.2e9 --set "
                          "'material.1.mu_r=[[1,[0,0.1],0],[[0,-0.1],1,0],[0,0,1]]'");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("the results have no error bars"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("estimate = \"one\""), std::string::npos) << ended.err;
}

/// Cells of more than half a wavelength, order 1: no estimate is requested, and the run says that S is wrong.
TEST_F(Accuracy, AWideBarIsAWarningByDefault) {
  const std::string coarse = "fem-solve " + configs +
                             "slab.toml --set output.fields=false --set mesh.size=15 --set space.order=1 "
                             "--set frequency.values=[8.2e9,12e9] ";
  const Ended ended = run(coarse + "--output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("is above 0.05"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("(not resolved)"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("[refinement]"), std::string::npos) << ended.err;
  const auto table = io::read_csv(path("out/errors.csv"));
  const auto bars = table.numbers("error");
  long unresolved = 0;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    EXPECT_EQ(table.text.at("remark")[i] == "not resolved", bars[i] > 0.3) << i;
    unresolved += bars[i] > 0.3;
  }
  EXPECT_GT(unresolved, 0);
  const Ended silent = run(coarse + "--output silent --set accuracy.estimate=off");
  EXPECT_EQ(silent.err.find("is above"), std::string::npos) << silent.err;
}

/// Fields at the edges of an iris are singular. abs(S11) by mode matching: the head of configs/iris.toml.
TEST_F(Accuracy, BarsOfOrderThreeCoverTheEdgesOfAnIris) {
  const Ended ended = run("fem-solve " + configs +
                          "iris.toml --output out --set output.fields=false --set space.order=3 "
                          "--set frequency.values=[8.2e9,10e9,12.4e9] --set accuracy.estimate=all");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto r = results("out");
  const double exact[] = {0.89238, 0.76228, 0.58062};
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& s11 = r["s_parameters"][i]["s1_1"];
    const double error = std::abs(std::abs(Complex(s11[0], s11[1])) - exact[i]);
    EXPECT_LE(error, double(r["errors"][i]["s1_1_error"]) + 5e-6) << i;
  }
}

TEST_F(Accuracy, BarsOfASphereCoverTheTrueError) {
  const Ended ended = run("fe-iiee " + configs +
                          "sphere_in_air.toml --output out --set output.fields=false --set mesh.size=0.25 "
                          "--set mesh.order=1 --set space.order=1 --set accuracy.estimate=one");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const Mie mie(conducting_sphere(0.3183), 2 * M_PI);
  const auto rcs = io::read_csv(path("out/rcs.csv"));
  const auto found = rcs.numbers("rcs_m2"), theta = rcs.numbers("theta_deg"), phi = rcs.numbers("phi_deg");
  double wrong = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const double exact = std::sqrt(mie.rcs(theta[i] * M_PI / 180, phi[i] * M_PI / 180).total());
    wrong += std::pow(std::sqrt(found[i]) - exact, 2), size += exact * exact;
  }
  expect_fair(std::sqrt(wrong / size), results("out")["errors"][0]["far_field_error"], "far field");
}

/// Memory suffices for the run, not for the estimate with three or four times the unknowns.
/// Dry runs say so too.
TEST_F(Accuracy, EstimateWithoutItsMemoryIsLeftOut) {
  CURLEW_LIMITS_ADDRESS_SPACE();
  const std::string programs[] = {
      // with KiB of address space
      "ulimit -v 650000; fem-solve " + configs +
          "slab.toml --set frequency.values=[9e9] --set output.fields=false",
      "ulimit -v 800000; ie-solve " + configs +
          "pec_sphere.toml --set mesh.size=0.05 --set solver.method=direct",
      "ulimit -v 800000; mom2d " + configs + "circle_mom.toml --set contour.0.cells=2500"};
  for (const std::string& program : programs) {
    const std::string command = program + " --threads 1 --output out --set accuracy.tolerance=1e-9";
    const Ended dry = run("(" + command + " --dry-run)"), ended = run("(" + command + ")");
    EXPECT_EQ(dry.status, 0) << dry.err;
    EXPECT_NE(dry.out.find("error estimate (left out: not enough memory)"), std::string::npos) << dry.out;
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_NE(ended.err.find("error estimate is left out: it would need"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find("accuracy.tolerance could not be checked"), std::string::npos) << ended.err;
    EXPECT_FALSE(results("out").contains("errors"));
  }
}

}  // namespace
}  // namespace curlew::test
