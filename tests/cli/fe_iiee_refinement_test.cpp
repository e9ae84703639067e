// SPDX-License-Identifier: BSD-3-Clause
// [refinement] of fe-iiee as a user runs it: a sphere against Mie's series from its geometry and a tolerance.

#include <algorithm>
#include <cmath>
#include <complex>

#include "io/csv.hpp"
#include "mie.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

class FeIieeRefinement : public SummaryTest {
 protected:
  void SetUp() override {
    SummaryTest::SetUp();
    run("(sed -e '/^size/d' -e 's#\\.\\./meshes#" + test::source_dir() + "/meshes#' " + test::source_dir() +
        "/configs/sphere_in_air.toml > sphere.toml)");
  }
  /// Errors of all passes lie between a share of their bars and the bars. @param exact cross-section [m^2]
  void expect_covered(double exact, double least_share) {
    const auto passes = io::read_csv(path("out/passes.csv"));
    const auto values = passes.numbers("re_value"), bars = passes.numbers("estimated_error");
    ASSERT_GE(passes.num_rows, 2U);
    for (std::size_t i = 0; i < passes.num_rows; ++i) {
      const double error = std::abs(values[i] / exact - 1);
      EXPECT_LT(error, bars[i]) << i;
      EXPECT_GT(error, least_share * bars[i]) << i;
    }
  }
  const std::string sphere =
      "fe-iiee sphere.toml --set output.fields=false --set accuracy.estimate=off --set "
      "output.monostatic=true "
      "--set refinement.target=rcs ";
};

/// The dual problem of backscattering is the wave's own solution: errors lie within their
/// bars, and bars are at most ten times the errors, so that a wrong or missing factor
/// fails.
TEST_F(FeIieeRefinement, DISABLED_SphereWithinItsTolerance) {
  const Ended ended = run(sphere + "-o out --set refinement.tolerance=1.2e-2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double exact = Mie(conducting_sphere(0.3183), 2 * M_PI).rcs(M_PI, 0).total();
  expect_covered(exact, 0.1);
  EXPECT_NEAR(io::read_csv(path("out/rcs.csv")).numbers("rcs_m2")[0] / exact, 1, 1.2e-2);
  EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
  EXPECT_FALSE(exists("out/refinement.h5"));
}

/// The greatest of all directions lies behind the sphere: its dual problem is a wave that comes from there.
TEST_F(FeIieeRefinement, PassesKnowTheErrorOfTheForwardSection) {
  const Ended ended =
      run("fe-iiee sphere.toml -o out --set output.fields=false --set accuracy.estimate=off --set "
          "refinement.tolerance=1.2e-2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double exact = Mie(conducting_sphere(0.3183), 2 * M_PI).rcs(0, 0).total();
  expect_covered(exact, 0.05);
}

/// Where solving again costs more than the run, the same residuals give the bars of one solution: that of the
/// forward direction by a wave from there, that towards the source by the wave itself.
TEST_F(FeIieeRefinement, DISABLED_ResidualsGiveTheBarsOfTheForwardAndTheBackwardSection) {
  const Ended ended = run("fe-iiee sphere.toml -o out --set output.fields=false --set mesh.size=0.1");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("from residuals"), std::string::npos) << ended.out;
  const Mie mie(conducting_sphere(0.3183), 2 * M_PI);
  const auto errors = io::read_csv(path("out/errors.csv"));
  ASSERT_EQ(errors.text.at("quantity"), (std::vector<std::string>{"greatest RCS", "backscatter RCS"}));
  for (const std::size_t i : {0U, 1U}) {
    const double exact = std::sqrt(mie.rcs(i == 0 ? 0 : M_PI, 0).total() / (4 * M_PI)),
                 error = std::abs(errors.numbers("value")[i] - exact), bar = errors.numbers("error")[i];
    EXPECT_LT(error, bar) << i;
    EXPECT_GT(error, 0.02 * bar) << i;
  }
}

/// Neither a size nor [refinement]: 0.2 dB.
TEST_F(FeIieeRefinement, SphereFromItsGeometryAlone) {
  const Ended ended =
      run("fe-iiee sphere.toml -o out --set output.fields=false --set output.monostatic=true --set "
          "accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double exact = Mie(conducting_sphere(0.3183), 2 * M_PI).rcs(M_PI, 0).total();
  EXPECT_NEAR(io::read_csv(path("out/rcs.csv")).numbers("rcs_m2")[0] / exact, 1, 0.047);
  EXPECT_GE(summary("out")["results"]["refinement"]["passes"].get<int>(), 2);
  EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
}

/// S of a strip dipole in a band: all frequencies are in passes.csv, and the error is estimated at some.
TEST_F(FeIieeRefinement, DISABLED_BandOfADipoleByDefault) {
  const Ended ended = run("fe-iiee " + test::source_dir() +
                          "/tests/data/fed_strip_in_air.toml -o out --set accuracy.estimate=off --set "
                          "frequency.values=[2.2e8,2.6e8,3e8] --set refinement.max_passes=2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto passes = io::read_csv(path("out/passes.csv"));
  EXPECT_EQ(passes.num_rows, 6U);
  const auto& estimates = passes.text.at("estimated_error");
  EXPECT_GE(std::count_if(estimates.begin(), estimates.end(), [](const auto& e) { return !e.empty(); }), 4);
}

/// By default there is a layer at the rims of a strip: S of the first mesh is closer to that of 70.78 - 2.94j
/// ohm, of ie-solve with the same port (docs/measured/adaptive.md), than that of a second pass without.
TEST_F(FeIieeRefinement, DISABLED_StripsHaveALayerAtTheirRims) {
  const auto errors_of = [&](const std::string& folder, const std::string& more) {
    const Ended ended = run("fe-iiee " + test::source_dir() +
                            "/tests/data/fed_strip_in_air.toml --set accuracy.estimate=off --set "
                            "refinement.max_passes=2 -o " +
                            folder + more);
    EXPECT_EQ(ended.status, 0) << ended.err;
    const auto passes = io::read_csv(path(folder + "/passes.csv"));
    const std::complex<double> z(70.78, -2.94), exact = (z - 73.0) / (z + 73.0);
    std::vector<double> errors;
    for (std::size_t i = 0; i < passes.num_rows; ++i)
      errors.push_back(
          std::abs(std::complex(passes.numbers("re_value")[i], passes.numbers("im_value")[i]) - exact));
    return errors;
  };
  const auto plain = errors_of("plain", " --set refinement.edge_layers=0"),
             layered = errors_of("layered", "");
  ASSERT_EQ(plain.size(), 2U);
  ASSERT_EQ(layered.size(), 2U);
  EXPECT_LT(layered[0], 0.6 * plain[1]);
  EXPECT_LT(io::read_csv(path("layered/passes.csv")).numbers("unknowns")[0],
            0.5 * io::read_csv(path("plain/passes.csv")).numbers("unknowns")[1]);
}

/// Surfaces that the program makes around a body: the body and what lies between are meshed again.
TEST_F(FeIieeRefinement, SphereWithSurfacesMadeAroundIt) {
  write("body.toml",
        "[mesh]\nfile = '" + test::source_dir() +
            "/meshes/sphere_surface.geo'\nunit = 'm'\norder = 2\nparameters = { radius = 0.3183 "
            "}\n[frequency]\n"
            "values = [299792458.0]\n[[boundary]]\nregion = 'sphere'\ntype = 'pec'\n[excitation]\ntheta = "
            "[180.0]\nphi = [0.0]\n[truncation]\ndistance = 0.1\n[accuracy]\nestimate = "
            "'off'\n[output]\nfields = "
            "false\nmonostatic = true\n[refinement]\ntarget = 'rcs'\ntolerance = 2e-2\n");
  const Ended ended = run("fe-iiee body.toml -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double exact = Mie(conducting_sphere(0.3183), 2 * M_PI).rcs(M_PI, 0).total();
  const auto passes = io::read_csv(path("out/passes.csv"));
  ASSERT_GE(passes.num_rows, 2U);
  EXPECT_GT(passes.numbers("cells").back(), 1.2 * passes.numbers("cells").front());
  EXPECT_NEAR(io::read_csv(path("out/rcs.csv")).numbers("rcs_m2")[0] / exact, 1, 2e-2);
  EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
}

/// The gain of a strip dipole against 1.6334 of the integral equations of ie-solve
/// (tests/data/fed_strip.toml).
TEST_F(FeIieeRefinement, GainOfADipoleComesCloserToThatOfIntegralEquations) {
  const Ended ended =
      run("fe-iiee " + test::source_dir() +
          "/tests/data/fed_strip_in_air.toml -o out --set space.order=2 --set "
          "accuracy.estimate=off --set refinement.target=gain --set refinement.tolerance=1e-2 "
          "--set refinement.max_passes=2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto passes = io::read_csv(path("out/passes.csv"));
  const auto gains = passes.numbers("re_value");
  ASSERT_EQ(gains.size(), 2U);
  EXPECT_LT(std::abs(gains[1] / 1.6334 - 1), 2.2e-2);
  EXPECT_LT(std::abs(gains[1] / 1.6334 - 1), 0.8 * std::abs(gains[0] / 1.6334 - 1));
  const auto bars = passes.numbers("estimated_error");
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_LT(std::abs(gains[i] / 1.6334 - 1), bars[i]) << i;
    EXPECT_GT(std::abs(gains[i] / 1.6334 - 1), 0.1 * bars[i]) << i;
  }
}

/// Along the strip, where a dipole has its null, gains are no aim of passes for S.
TEST_F(FeIieeRefinement, GainsOfANullAreNoAim) {
  const Ended ended = run("fe-iiee " + test::source_dir() +
                          "/tests/data/fed_strip_in_air.toml -o out --set space.order=1 --set "
                          "accuracy.estimate=off --set refinement.max_passes=2 --set "
                          "'output.far_field={theta=[90,90,1],phi=[90,90,1]}'");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto passes = io::read_csv(path("out/passes.csv"));
  const auto& names = passes.text.at("quantity");
  ASSERT_EQ(std::ranges::count_if(names, [](const auto& of) { return of.rfind("gain1", 0) == 0; }), 1)
      << "in the last pass, when S may have converged";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].rfind("gain1", 0) != 0) continue;
    EXPECT_EQ(passes.numbers("re_value")[i], 0);
    EXPECT_EQ(passes.numbers("estimated_error")[i], 0);
  }
}

TEST_F(FeIieeRefinement, ResumesInThePassThatWasKilled) {
  const std::string one = sphere + "--threads 1 --set refinement.tolerance=4.7e-2 ";
  const Ended killed = run(
      "bash -c '" + one +
      "-o out & until [ -e out/refinement.h5 ] || ! kill -0 $!; do sleep 0.02; done; kill -9 $!; wait $!'");
  EXPECT_NE(killed.status, 0);
  ASSERT_TRUE(exists("out/refinement.h5"));
  const Ended resumed = run(one + "-o out --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("done before"), std::string::npos) << resumed.err;
  EXPECT_EQ(resumed.err.find("pass 1:"), std::string::npos) << resumed.err;
  EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
}

TEST_F(FeIieeRefinement, MistakesAreOneLineEach) {
  ASSERT_EQ(run("em-mesh " + test::source_dir() + "/meshes/sphere_in_air.geo --unit m --size 0.3 -o made.h5")
                .status,
            0);
  const std::pair<const char*, const char*> mistakes[] = {{"refinement.target=S", "with plane waves"},
                                                          {"refinement.target=frequency", "rcs"},
                                                          {"mesh.file=made.h5", "geometry"}};
  for (const auto& [set, words] : mistakes) {
    const Ended ended = run(sphere + "-q -o bad --set refinement.tolerance=1e-2 --set " + set);
    EXPECT_EQ(ended.status, 2) << set << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << set << ": " << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
}

}  // namespace
}  // namespace curlew::test
