// SPDX-License-Identifier: BSD-3-Clause
// [refinement] of ie-solve as a user runs it: a sphere against Mie's series, a plate and a strip against the
// limits of structured meshes.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/types.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "mie.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string data = test::source_dir() + "/tests/data/";

class IeRefinement : public SummaryTest {
 protected:
  void SetUp() override {
    SummaryTest::SetUp();
    run("(sed -e '/^size/d' -e 's#\\.\\./meshes#" + test::source_dir() + "/meshes#' " + test::source_dir() +
        "/configs/pec_sphere.toml > sphere.toml)");
  }
  /// ka = 2 at 320 MHz.
  const std::string sphere =
      "ie-solve sphere.toml --set output.fields=false --set output.monostatic=true --set "
      "mesh.parameters.radius=0.298207 --set formulation.equation=efie ";
  const std::string plate = "ie-solve " + data + "square_plate.toml ";
  const std::string strip = "ie-solve " + data + "fed_strip.toml ";

  double section(const std::string& folder) const {
    return std::pow(10, 0.1 * summary(folder)["results"]["backscatter_dbsm"].get<double>());
  }
  Complex impedance(const std::string& folder) const {
    const auto z = summary(folder)["results"]["s_parameters"][0]["input_impedance_1_ohm"];
    return {z[0], z[1]};
  }
  /// Damaged saved passes are not used. @param one a run without its output
  void expect_begun_again(const std::string& one, const std::string& damaged) const {
    std::filesystem::remove_all(path("out"));
    std::filesystem::create_directory(path("out"));
    std::ofstream(path("out/refinement.h5"), std::ios::binary) << damaged;
    const Ended resumed = run(one + "-o out --resume");
    EXPECT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_NE(resumed.err.find("the passes begin again"), std::string::npos) << resumed.err;
    EXPECT_NE(resumed.err.find("pass 1:"), std::string::npos) << resumed.err;
    EXPECT_NEAR(section("out") / section("whole"), 1, 1e-9);
  }
  long unknowns(const std::string& folder) const { return summary(folder)["sizes"]["unknowns"].get<long>(); }
};

/// Errors lie within their bars; those of the CFIE, which have one sign on all meshes, are a sixteenth of
/// them at least, so that a wrong or missing factor fails.
TEST_F(IeRefinement, SphereWithinItsTolerance) {
  const double exact = Mie(conducting_sphere(0.298207), 2 * M_PI * 320e6 / 299792458).rcs(M_PI, 0).total();
  for (const auto& [equation, tolerance] : {std::pair{"efie", 1e-2}, {"cfie", 8e-2}}) {
    const Ended ended = run(sphere + "-o out --set refinement.tolerance=" + std::to_string(tolerance) +
                            " --set formulation.equation=" + equation);
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_NE(ended.out.find("adaptive passes"), std::string::npos);
    const auto passes = io::read_csv(path("out/passes.csv"));
    const auto values = passes.numbers("re_value");
    ASSERT_GE(passes.num_rows, 3U);
    for (std::size_t i = 1; i < passes.num_rows; ++i) {  // the first has nothing to compare with
      const double error = std::abs(values[i] / exact - 1),
                   bar = std::stod(passes.text.at("estimated_error")[i]);
      EXPECT_LT(error, bar) << equation << i;
      if (tolerance > 1e-2) {
        EXPECT_GT(error, bar / 16) << equation << i;
      }
    }
    EXPECT_NEAR(section("out") / exact, 1, tolerance);
    EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
    EXPECT_FALSE(exists("out/refinement.h5"));
  }
}

/// A plate from its edge with E across it has no current: the passes end instead of chasing rounding errors.
TEST_F(IeRefinement, SectionThatVanishesEndsThePasses) {
  const Ended ended = run(plate +
                          "-o out --set refinement.tolerance=1e-2 --set excitation.theta=[90] --set "
                          "excitation.polarization=theta");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("taken as zero"), std::string::npos) << ended.err;
  EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
  EXPECT_EQ(summary("out")["results"]["refinement"]["passes"], 2);
}

/// Charges are singular at the rim, where errors fall with h: squares have to be halved for half of the
/// error.
TEST_F(IeRefinement, PlateWithHalfTheUnknownsOfAUniformMesh) {
  const std::string uniform =
      plate + "-q --set accuracy.estimate=off --set refinement.max_passes=1 --set mesh.parameters.cells=";
  ASSERT_EQ(run(uniform + "20 -o middle").status, 0);
  ASSERT_EQ(run(uniform + "30 -o fine").status, 0);
  // The limit of a + c h by 20 and 30 squares along the side.
  const double limit = section("fine") + (section("fine") - section("middle")) * 20 / (30 - 20);
  const Ended ended = run(plate +
                          "-o out --set accuracy.estimate=off --set refinement.tolerance=1e-3 --set "
                          "refinement.max_unknowns=1300");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(std::abs(section("out") / limit - 1), 2.5e-2);
  EXPECT_LT(std::abs(section("out") - limit), std::abs(section("fine") - limit));
  EXPECT_LT(2 * unknowns("out"), unknowns("fine"));
}

TEST_F(IeRefinement, StripWithinItsToleranceOfTheLimit) {
  const std::string uniform =
      strip + "-q --set accuracy.estimate=off --set refinement.max_passes=1 --set mesh.parameters.cells=";
  ASSERT_EQ(run(uniform + "2 -o coarse").status, 0);
  ASSERT_EQ(run(uniform + "4 -o fine").status, 0);
  const Complex limit = impedance("fine") + 0.2 * (impedance("fine") - impedance("coarse"));
  const Ended ended = run(strip + "-o out --set refinement.tolerance=6e-2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(std::abs(impedance("out") / limit - 1.0), 6e-2);
  EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
  const Ended gain = run(strip + "-o gain --set refinement.tolerance=6e-2 --set refinement.target=gain");
  ASSERT_EQ(gain.status, 0) << gain.err;
  const auto passes = io::read_csv(path("gain/passes.csv"));
  const double dbi = summary("gain")["results"]["gain_dbi"];
  EXPECT_NEAR(10 * std::log10(passes.numbers("re_value").back()), dbi, 1e-6);
}

TEST_F(IeRefinement, ResumesInThePassThatWasKilled) {
  const std::string one = sphere + "--threads 1 --set refinement.tolerance=2e-2 ";
  const Ended killed = run(
      "bash -c '" + one +
      "-o out & until [ -e out/refinement.h5 ] || ! kill -0 $!; do sleep 0.02; done; kill -9 $!; wait $!'");
  EXPECT_NE(killed.status, 0);
  ASSERT_TRUE(exists("out/refinement.h5"));
  const std::string sound = io::read_text_file(path("out/refinement.h5"));
  const double first = io::H5File::open(path("out/refinement.h5")).read<double>("numbers").front();
  const Ended resumed = run(one + "-o out --resume");
  ASSERT_EQ(resumed.status, 0) << resumed.err;
  EXPECT_NE(resumed.err.find("done before"), std::string::npos) << resumed.err;
  EXPECT_EQ(resumed.err.find("pass 1:"), std::string::npos) << resumed.err;
  ASSERT_EQ(run(one + "-o whole").status, 0);
  EXPECT_NEAR(section("out") / section("whole"), 1, 1e-9);
  EXPECT_EQ(unknowns("out"), unknowns("whole"));

  expect_begun_again(one, sound.substr(0, sound.size() / 2));
  std::string changed = sound;
  const auto at = sound.find(std::string(reinterpret_cast<const char*>(&first), sizeof first));
  ASSERT_NE(at, std::string::npos);
  changed[at + 6] ^= 1;  // 6 % of it, or less
  expect_begun_again(one, changed);
}

/// Without a geometry triangles are bisected; to the change that the meshes of the geometry have.
TEST_F(IeRefinement, FinishedMeshIsBisected) {
  ASSERT_EQ(run("em-mesh " + data + "square_plate.geo --unit m --size 0.3 -o made.h5").status, 0);
  const Ended ended =
      run(plate + "-o out --set accuracy.estimate=off --set refinement.tolerance=6e-2 --set mesh.file=" +
          path("made.h5"));
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_TRUE(summary("out")["results"]["refinement"]["converged"]);
  EXPECT_NEAR(section("out") / 11.467, 1, 1.6e-2);  // docs/measured/adaptive.md
  EXPECT_LT(2 * unknowns("out"), 4720);             // of uniform squares with an error of 1.6e-2
}

/// A tolerance that is not reached gives a warning, with strict status 1; the results are written.
TEST_F(IeRefinement, SaysWhatItDidNotReach) {
  const Ended passes = run(sphere +
                           "-q -o out --set refinement.tolerance=1e-6 --set refinement.max_passes=2 --set "
                           "accuracy.strict=true");
  EXPECT_EQ(passes.status, 1);
  EXPECT_NE(passes.err.find("after 2 passes, 1e-06 required: raise refinement.max_passes = 2"),
            std::string::npos)
      << passes.err;
  EXPECT_TRUE(exists("out/rcs.csv"));
  EXPECT_FALSE(summary("out")["results"]["refinement"]["converged"]);
  const Ended few = run(sphere +
                        "-o few --set accuracy.estimate=off --set refinement.tolerance=1e-6 --set "
                        "refinement.max_unknowns=1000");
  EXPECT_EQ(few.status, 0);
  EXPECT_NE(few.err.find("max_unknowns = 1000"), std::string::npos) << few.err;
  EXPECT_LT(unknowns("few"), 1500);
}

TEST_F(IeRefinement, MistakesAreOneLineEach) {
  ASSERT_EQ(run("em-mesh " + test::source_dir() + "/meshes/sphere_in_air.geo --unit m --size 0.3 -o cells.h5")
                .status,
            0);
  const std::string made = path("cells.h5") + " --set boundary.0.region=body";
  const std::pair<std::string, const char*> mistakes[] = {
      {plate + "--set refinement.target=S", "[[port]]"},
      {plate + "--set refinement.target=impedance", "[[port]]"},
      {plate + "--set refinement.target=gain", "[[port]]"},
      {strip + "--set refinement.target=rcs", "plane waves"},
      {plate + "--set mesh.file=" + made, "without cells"},
      {plate + "--set formulation.equation=film --set refinement.target=gain", "films take target"}};
  for (const auto& [command, words] : mistakes) {
    const Ended ended = run(command + " -q -o bad --set refinement.tolerance=1e-2");
    EXPECT_EQ(ended.status, 2) << command << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << command << ": " << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
}

}  // namespace
}  // namespace curlew::test
