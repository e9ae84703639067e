// SPDX-License-Identifier: BSD-3-Clause
// ie-solve from a config to its files, as a user would, and its refusals.
#include <cmath>
#include <nlohmann/json.hpp>

#include "io/csv.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

const std::string source = CURLEW_SOURCE_DIR;
const std::string sphere = "ie-solve " + source + "/configs/pec_sphere.toml --device cpu --output out ";

class IeSolve : public ProgramTest {
 protected:
  void expect_refusal(const std::string& command, const std::string& words) const {
    const Ended ended = run(command);
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
  }
};

TEST_F(IeSolve, SphereOfTheAustinBenchmarks) {
  // 0.07 m: 1/13 of the wavelength. The finer mesh of the config itself is within 0.1 dB (docs/ie.md).
  const Ended ended = run(sphere + "--set mesh.size=0.07");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto rcs = io::read_csv(path("out/rcs.csv")).numbers("rcs_dbsm");
  ASSERT_EQ(rcs.size(), 181U);
  EXPECT_NEAR(rcs[0], -5.224978, 0.4);
  EXPECT_NEAR(rcs[90], -0.355349, 0.1);
  EXPECT_NEAR(rcs[180], 1.707440, 0.15);
  EXPECT_TRUE(exists("out/currents.vtkhdf"));
  EXPECT_TRUE(exists("out/solution.h5"));
  const auto summary = nlohmann::json::parse(io::read_text_file(path("out/summary.json")));
  EXPECT_LT(summary["results"]["power_imbalance"].get<double>(), 0.02);
}

TEST_F(IeSolve, DipoleHasTheImpedanceOfNec) {
  // nec2c 1.3, wire of 0.25 mm radius (a quarter of the strip), 41 segments: 67.193 - j25.015 ohm.
  const Ended ended = run("ie-solve " + source + "/configs/dipole_strip.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(path("out/impedance.csv"));
  const double r = table.numbers("re_z_ohm").at(0), x = table.numbers("im_z_ohm").at(0);

  EXPECT_LT(std::hypot(r - 67.193, x + 25.015), 0.03 * std::hypot(67.193, 25.015)) << r << " " << x;
  EXPECT_TRUE(exists("out/dipole_strip.s1p"));
  const auto gain = io::read_csv(path("out/farfield.csv"));
  EXPECT_NEAR(gain.numbers("directivity_dbi").at(90), 2.13, 0.03);
  EXPECT_NEAR(gain.numbers("gain_dbi").at(90), gain.numbers("directivity_dbi").at(90), 0.01);
}

TEST_F(IeSolve, BadInputIsRefusedInOneLine) {
  const std::string strip = "ie-solve " + source + "/configs/dipole_strip.toml --output out ";
  expect_refusal(strip + "--set formulation.equation=cfie", "use equation = \"efie\"");
  expect_refusal(strip + "--set port.0.between='[\"lower\", \"uper\"]'", "surfaces: lower, upper");
  expect_refusal(strip + "--set boundary.0.region=lower", "says what surface \"upper\" is");
  expect_refusal(strip + "--set boundary.0.type=wall", "wall");
  expect_refusal(sphere + "--set mesh.size=0.2 --set formulation.alpha=2", "alpha");
  EXPECT_FALSE(exists("out/rcs.csv"));
}

TEST_F(IeSolve, CoarseMeshIsAWarningWithNumbers) {
  const Ended ended = run(sphere + "--set mesh.size=0.2 --set frequency.values=1e9 --dry-run");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("of the shortest wavelength"), std::string::npos) << ended.err;
}

TEST_F(IeSolve, MatrixThatDoesNotFitEndsBeforeItIsMade) {
  const std::string command = "ulimit -v 500000 && " + sphere;
  const Ended ended =
      run(command + "--set mesh.size=0.03 --set solver.method=direct --set solver.precision=double");
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_NE(ended.err.find("matrix and factors needs"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("are available"), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out/rcs.csv"));
}

}  // namespace
}  // namespace curlew::test
