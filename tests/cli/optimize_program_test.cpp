// SPDX-License-Identifier: BSD-3-Clause
// em-optimize as a user runs it, on devices whose best dimensions are known.

#include <cmath>

#include "base/types.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "mie.hpp"
#include "mode_matching.hpp"
#include "plain_iris.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

class OptimizeTest : public SummaryTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("iris.toml", plain_iris_config("size = 4\nparameters = { gap = 10, thickness = 2 }", ""));
  }
  /// A search for the gap of the iris whose |S11| at 10 GHz is that of mode matching at 12 mm.
  void write_search(const std::string& variable, const std::string& more) const {
    const reference::Guide guide(22.86e-3, 10e9, 200);
    const double wanted = std::abs(guide.iris(12e-3, 2e-3).reflection());
    write("search.toml", "[model]\nconfig = 'iris.toml'\n[[variable]]\nparameter = 'mesh.parameters.gap'\n" +
                             variable + "[[goal]]\nquantity = 'S11'\nfrequency = '10 GHz'\nequal = " +
                             std::to_string(20 * std::log10(wanted)) + "\n" + more);
  }
  double best(const std::string& folder) const { return results(folder)["variables"][0]["best"]; }
};

/// The error of |S11| on these cells, 0.03 as in docs/measured/adaptive.md, over its derivative, 0.19 / mm.
constexpr double iris_error_mm = 0.18;

TEST_F(OptimizeTest, GapOfAnIrisByTheDerivativesOfTheSolver) {
  write_search("range = [8, 16]\n", "");
  const Ended ended = run("em-optimize search.toml -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NEAR(best("out"), 12, iris_error_mm);
  EXPECT_TRUE(results("out")["goals_met"]);
  EXPECT_LE(results("out")["evaluations"].get<int>(), 6);
  EXPECT_DOUBLE_EQ(results("out")["variables"][0]["start"], 10);

  const auto steps = io::H5File::open(path("out/steps.h5"));
  const auto gaps = steps.read<double>("variables");
  EXPECT_EQ(gaps.front(), 10);
  EXPECT_NEAR(gaps.back(), best("out"), 1e-9);
  EXPECT_LE(steps.read<double>("worst_excess").back(), 0);
  EXPECT_TRUE(exists("out/steps.csv"));
  const auto goals = io::read_csv(path("out/goals.csv"));
  EXPECT_NEAR(goals.numbers("best")[0], goals.numbers("below")[0], 1e-2);
  const Ended again =
      run("fem-solve iris.toml -o again --set mesh.parameters.gap=" + std::to_string(best("out")));
  ASSERT_EQ(again.status, 0) << again.err;
  const auto s11 = results("again")["s_parameters"][0]["s1_1"];
  EXPECT_NEAR(20 * std::log10(std::abs(Complex(s11[0], s11[1]))), goals.numbers("best")[0],
              1e-2);  // other cells
}

/// Without a size: passes at the start, whose sizes the other evaluations have.
TEST_F(OptimizeTest, TheSameGapByPasses) {
  write("iris.toml", plain_iris_config("parameters = { gap = 10, thickness = 2 }", ""));
  write_search("range = [8, 16]\n", "");
  const Ended ended = run("em-optimize search.toml -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NEAR(best("out"), 12, iris_error_mm);
  EXPECT_FALSE(exists("out/sizes.h5"));
  EXPECT_GT(results("out/evaluation_0001")["refinement"]["passes"].get<int>(), 1);
  const int evaluations = results("out")["evaluations"];
  for (int i = 2; i <= evaluations; ++i)
    EXPECT_EQ(results("out/evaluation_000" + std::to_string(i))["refinement"]["passes"], 1) << i;
}

TEST_F(OptimizeTest, TheSameGapByDifferences) {
  write_search("range = [8, 16]\n", "[optimization]\nderivatives = 'differences'\n");
  const Ended ended = run("em-optimize search.toml -o out --jobs 2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NEAR(best("out"), 12, iris_error_mm);
  const auto steps = io::read_csv(path("out/steps.csv"));
  EXPECT_NE(std::count(steps.text.at("purpose").begin(), steps.text.at("purpose").end(), "difference"), 0);
}

/// Surfaces that fe-iiee makes around a body have no derivatives by its dimensions.
TEST_F(OptimizeTest, TakesDifferencesWhereTheSolverRefusesDerivatives) {
  write("sphere.toml", "[mesh]\nfile = '" + source +
                           "/meshes/sphere_surface.geo'\nunit = 'm'\nsize = 0.2\nparameters = { radius = 0.2 "
                           "}\n[frequency]\nvalues = [2e8]\n[[boundary]]\nregion = 'sphere'\ntype = "
                           "'pec'\n[truncation]\ndistance = 0.1\n[excitation]\ntheta = [180.0]\nphi = "
                           "[0.0]\n[accuracy]\nestimate = 'off'\n[output]\nmonostatic = true\n");
  write("search.toml",
        "[model]\nconfig = 'sphere.toml'\nprogram = 'fe-iiee'\n[[variable]]\nparameter = "
        "'mesh.parameters.radius'\nmin = 0.15\nmax = 0.25\n[[goal]]\nquantity = 'backscatter_dbsm'\nbelow = "
        "-20\n[optimization]\nmax_evaluations = 1\n");
  for (const char* how : {" --dry-run", ""}) {
    const Ended ended = run(std::string("em-optimize search.toml -o out") + how);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_NE(ended.err.find("derivatives by differences"), std::string::npos) << ended.err;
  }
}

/// Backscatter of ie-solve at what the series of a sphere has at ε_r = 3.
TEST_F(OptimizeTest, PermittivityOfASphereForACrossSection) {
  write("sphere.toml",
        "[mesh]\nfile = '" + source +
            "/meshes/sphere_surface.geo'\nunit = 'm'\nsize = 0.09\norder = 2\nparameters = { "
            "radius = 0.2 }\n[frequency]\nvalues = [299792458.0]\n[formulation]\nequation = "
            "'efie'\n[[material]]\nregion = 'sphere'\nepsilon_r = 2.7\n[excitation]\ntype = "
            "'plane_wave'\ntheta = [180.0]\nphi = [0.0]\n[accuracy]\nestimate = 'off'\n[output]\n"
            "monostatic = true\n");
  const double wanted = dbsm(Mie(dielectric_sphere(0.2, 3), 2 * M_PI).rcs(M_PI, 0).total());
  write("search.toml",
        "[model]\nconfig = 'sphere.toml'\n[[variable]]\nparameter = 'material.sphere.epsilon_r'\nmin = 2.5\n"
        "max = 3.5\n[[goal]]\nquantity = 'backscatter_dbsm'\nequal = " +
            std::to_string(wanted) + "\n[optimization]\nderivatives = 'solver'\n");
  const Ended ended = run("em-optimize search.toml -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NEAR(best("out"), 3, 0.1);
  EXPECT_TRUE(results("out")["goals_met"]);
  EXPECT_LE(results("out")["evaluations"].get<int>(), 6);
  const auto purposes = io::read_csv(path("out/steps.csv")).text.at("purpose");
  EXPECT_EQ(std::count(purposes.begin(), purposes.end(), "difference"), 0);
}

/// f ~ 1/√ε_r of the filled sphere, exactly so for its elements: 3/4 of f needs ε_r = 16/9.
TEST_F(OptimizeTest, PermittivityOfACavityForAFrequency) {
  ASSERT_EQ(run("sed 's#\\.\\./meshes#" + source + "/meshes#' " + source +
                "/configs/spherical_cavity.toml > sphere.toml && true")
                .status,
            0);
  const std::string set =
      "set = ['mesh.size=0.8', 'analysis.modes=3', 'analysis.target=90e6', 'accuracy.estimate=off']\n";
  write("first.toml",
        "[model]\nconfig = 'sphere.toml'\n" + set +
            "[[variable]]\nparameter = 'material.cavity.epsilon_r'\nrange = [0.5, 4]\nstart = 1\n"
            "[[goal]]\nquantity = 'f1'\nequal = 1e8\n[optimization]\nmax_evaluations = 1\n");
  const Ended start = run("em-optimize first.toml -o first");
  ASSERT_EQ(start.status, 0) << start.err;
  const double vacuum = results("first")["goals"][0]["start"];
  write("second.toml",
        "[model]\nconfig = 'sphere.toml'\n" + set +
            "[[variable]]\nparameter = 'material.cavity.epsilon_r'\nrange = [0.5, 4]\nstart = 1\n"
            "[[goal]]\nquantity = 'f1'\nequal = [" +
            std::to_string(0.75 * vacuum) + ", 1e-4]\n");
  const Ended ended = run("em-optimize second.toml -o second");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NEAR(best("second"), 16.0 / 9, 16.0 / 9 * 2.1e-4);
  EXPECT_LE(results("second")["evaluations"].get<int>(), 6);
}

/// Killed with its solver in the seventh evaluation, the search continues to the same result.
TEST_F(OptimizeTest, GoesOnAfterAKill) {
  write_search("range = [8, 16]\n", "[optimization]\nuntil = 'best'\nderivatives = 'differences'\n");
  const Ended killed =
      run("bash -c 'em-optimize search.toml --threads 1 -o out & until [ -e out/evaluation_0006/summary.json "
          "] || ! kill -0 $!; do sleep "
          "0.02; done; kill -9 $!; wait $!'");
  EXPECT_NE(killed.status, 0);
  EXPECT_FALSE(exists("out/summary.json"));
  // At once: a solver that has been killed holds its folder until the system has ended it.
  const Ended resumed = run("em-optimize search.toml --threads 1 -o out --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  ASSERT_EQ(run("em-optimize search.toml --threads 1 -o whole").status, 0);
  const auto numbers = [&](const std::string& folder, const char* column) {
    return io::read_csv(path(folder + "/steps.csv")).numbers(column);
  };
  EXPECT_GT(numbers("whole", "re_value").size(), 7U);
  EXPECT_EQ(numbers("out", "re_value"), numbers("whole", "re_value"));
  EXPECT_EQ(numbers("out", "worst_excess"), numbers("whole", "worst_excess"));
}

TEST_F(OptimizeTest, GoesOnFromTheSameFilesOnly) {
  const std::string mesh = source + "/tests/data/plain_iris.geo";
  std::string config = plain_iris_config("size = 6\nparameters = { gap = 10, thickness = 2 }", "");
  const auto at = config.find(mesh);
  ASSERT_NE(at, std::string::npos) << config;
  write("iris.toml", config.replace(at, mesh.size(), "iris.geo"));
  const std::string script = io::read_text_file(mesh);
  write("iris.geo", script);
  write_search("range = [8, 16]\n", "[optimization]\nmax_evaluations = 1\nderivatives = 'differences'\n");
  const auto is_skipped = [&] {
    const Ended ended = run("em-optimize search.toml --threads 1 -o out --resume");
    return ended.err.find("done before, skipped") != std::string::npos;
  };
  EXPECT_FALSE(is_skipped());
  EXPECT_TRUE(is_skipped());
  write("iris.geo", script + "// changed\n");
  EXPECT_FALSE(is_skipped());
}

/// S of the iris filled by a medium is that in vacuum at a higher frequency: its spread by mode matching, and
/// by runs at random points, which cells of the same places make exact.
TEST_F(OptimizeTest, SpreadOfTheReflectionOfAnIris) {
  write("spread.toml",
        "[model]\nconfig = 'iris.toml'\nset = 'material.0.epsilon_r=1'\n[[variable]]\nparameter = "
        "'material.air.epsilon_r'\nmin = 0.9\nmax = 1.1\nspread = 0.01\n[[goal]]\nquantity = "
        "'S21'\nfrequency = "
        "10e9\n[tolerance_analysis]\nsamples = 8\n");
  const Ended ended = run("em-optimize spread.toml -o out --jobs 2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto level = [](double epsilon) {
    const reference::Guide guide(22.86e-3, 10e9 * std::sqrt(epsilon), 100);
    return 20 * std::log10(std::abs(guide.iris(10e-3, 2e-3).transmission()));
  };
  const double expected = 0.01 * (level(1.001) - level(0.999)) / 0.002;
  const auto table = io::read_csv(path("out/tolerance.csv"));
  EXPECT_NEAR(table.numbers("deviation")[0] / expected, 1, 0.1);  // S21 of these cells is off by 5 %
  EXPECT_NEAR(table.numbers("high")[0] - table.numbers("low")[0], 2 * 1.645 * expected, 0.1 * 3.3 * expected);
  EXPECT_LT(results("out")["tolerance"]["linear_error"].get<double>(), 0.1);
  EXPECT_GT(table.numbers("sampled_deviation")[0], 0.4 * expected);
  EXPECT_LT(table.numbers("sampled_deviation")[0], 1.9 * expected);  // chi-squared of 7 at 0.1 %
  const Ended none = run("em-optimize spread.toml -q -o bad --set variable.0.spread=0");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("has a spread"), std::string::npos) << none.err;
}

/// Goals that cannot be reached, and cells that are too coarse: results with warnings.
TEST_F(OptimizeTest, SaysWhatItDidNotReach) {
  write_search("range = [8, 11]\n", "");
  const Ended ended =
      run("em-optimize search.toml -o out "
          "--set 'model.set=[\"accuracy.estimate=all\", \"accuracy.tolerance=1e-6\"]'");
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.err.find("warning: the best, evaluation_"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("the estimated error of S"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("goals are missed"), std::string::npos) << ended.err;
  EXPECT_FALSE(results("out")["goals_met"]);
  EXPECT_DOUBLE_EQ(best("out"), 11);
}

/// Ever more reflection on the way to cut-off, at epsilon_r = 0.43: beyond it no run has results.
TEST_F(OptimizeTest, StepsBackFromWhatCannotBe) {
  write("search.toml",
        "[model]\nconfig = 'iris.toml'\n[[variable]]\nparameter = 'material.air.epsilon_r'\nmin = 0.1\nmax = "
        "1\nstart = 0.5\n[[goal]]\nquantity = 'S11'\nfrequency = 10e9\nabove = "
        "-0.01\n[optimization]\nmax_evaluations "
        "= 4\n");
  const Ended ended = run("em-optimize search.toml -o out --set 'model.set=\"material.0.epsilon_r=1\"'");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("has failed, a shorter step"), std::string::npos) << ended.err;
  EXPECT_GT(best("out"), 0.43);
  const auto steps = io::H5File::open(path("out/steps.h5"));
  EXPECT_EQ(steps.read<std::int32_t>("evaluation"),
            (std::vector<std::int32_t>{1, 4}));  // 2 and 3 have failed
}

TEST_F(OptimizeTest, MistakesAreOneLineEach) {
  write_search("range = [8, 16]\n", "");
  const std::pair<const char*, const char*> mistakes[] = {
      {"variable.0.range=[16,16]", "must be [least, greatest]"},
      {"variable.0.start=7", "must be in the range"},
      {"variable.0.parameter=mesh.parameters.slot --set variable.0.start=9", "slot"},
      {"variable.0.parameter=mesh.sise --set variable.0.start=9", "unknown key"},
      {"variable.0.parameter=gap", "must be like"},
      {"variable.0.parameter=material.slab.epsilon_r", "no [[material]]"},
      {"variable.0.parameter=mesh.parameters.width", "start is missing"},
      {"variable.0.parameter=variables.none", "as a number without a unit"},
      {"variable.0.spread=-1", "spread"},
      {"goal.0.quantity=S31", "the model has no S31: its S has 2 modes"},
      {"goal.0.quantity=f1", "has no frequency"},
      {"goal.0.quantity=s11", "S11, S21, ... and gain have one"},
      {"goal.0.below=10", "is met by every passive device"},
      {"goal.0.quantity=gain", "far_field"},
      {"goal.0.below=-20", "not both"},
      {"goal.0.frequency=[2e9,1e9]", "a band [start, stop]"},
      {"goal.0.frequency=1e9", "cut-off"},
      {"goal.0.wait=1", "unknown key"},
      {"model.config=none.toml", "no such file"},
      {"model.set=gap", "key=value"},
      {"optimization.max_evaluations=0", "max_evaluations"}};
  for (const auto& [set, words] : mistakes) {
    const Ended ended = run(std::string("em-optimize search.toml -q -o bad --set ") + set);
    EXPECT_EQ(ended.status, 2) << set << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << set << ": " << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
  const Ended share = run("em-optimize search.toml -q --array 1/2");
  EXPECT_EQ(share.status, 2);
  EXPECT_NE(share.err.find("--jobs"), std::string::npos) << share.err;
}

}  // namespace
}  // namespace curlew::test
