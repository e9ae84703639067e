// SPDX-License-Identifier: BSD-3-Clause
// Unit cells as a user meets them: the example against mode matching, a band diagram by --sweep, Gmsh's
// periodic meshes, and refused inputs.

#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "perforated_plate.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

/// A box of 10 x 8 x 12 mm whose opposite sides are meshed alike, or not.
const std::string cell_geo = R"(SetFactory("OpenCASCADE");
DefineConstant[ alike = {1, Name "alike"} ];
Box(1) = {0, 0, 0, 10, 8, 12};
If (alike)
  Periodic Surface{2} = {1} Translate{10, 0, 0};
Else
  Point(100) = {0, 3, 5};
  Point{100} In Surface{1};
EndIf
Periodic Surface{4} = {3} Translate{0, 8, 0};
Physical Volume("air") = {1};
Physical Surface("left") = {1};
Physical Surface("right") = {2};
Physical Surface("front") = {3};
Physical Surface("back") = {4};
Physical Surface("bottom") = {5};
Physical Surface("top") = {6};
)";

const std::string head =
    "[mesh]\nfile = \"cell.geo\"\nunit = \"mm\"\nsize = 4\n[[material]]\nregion = \"air\"\n";
const std::string pairs =
    "[[periodic]]\nprimary = \"left\"\nsecondary = \"right\"\n"
    "[[periodic]]\nprimary = \"front\"\nsecondary = \"back\"\n";
const std::string ports =
    "[[port]]\nregion = \"top\"\ntype = \"floquet\"\nexcite = true\n[[port]]\nregion = \"bottom\"\ntype = "
    "\"floquet\"\n";

class Periodic : public SummaryTest {
 protected:
  void SetUp() override {
    SummaryTest::SetUp();
    write("cell.geo", cell_geo);
  }
};

TEST_F(Periodic, PlateAgreesWithModeMatchingAtAnAngle) {
  const Ended ended = run("fem-solve " + source +
                          "/configs/perforated_plate.toml --output out --set output.fields=false "
                          "--set frequency.start=14e9 --set frequency.points=1");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/perforated_plate.s4p"));
  const double theta = pi / 6, k = 2 * pi * 14e9 / speed_of_light;
  const auto exact = match_plate({13e-3, 13e-3, 11e-3, 11e-3, 5e-3}, k, theta, pi / 9, 10);
  const Complex delay = std::polar(1.0, -2 * 7e-3 * k * std::cos(theta));
  const double y[2] = {std::cos(theta), 1 / std::cos(theta)};
  for (const int i : {0, 1})
    for (const int j : {0, 1}) {
      const Complex scale = delay * std::sqrt(y[i] / y[j]);
      EXPECT_LT(std::abs(s.at(0, i, j) - scale * exact.reflected[i][j]), 0.02) << i << j;
      EXPECT_LT(std::abs(s.at(0, i + 2, j) - scale * exact.transmitted[i][j]), 0.02) << i << j;
    }
  EXPECT_LT(results()["power_balance_error"].get<double>(), 1e-4);
  EXPECT_EQ(io::read_csv(path("out/ports.csv")).text.at("mode")[1], "TM(0,0)");
}

/// Power is kept at every angle, also when a grating order appears between two of them.
TEST_F(Periodic, EmptyCellLetsAllPowerThrough) {
  write("cell.toml",
        head + pairs + ports + "[bloch]\ntheta = 35\nphi = 15\n[frequency]\nvalues = [12e9, 26e9]\n");
  const Ended ended =
      run("fem-solve cell.toml --output out --set space.order=3 --set mesh.size=6 --set output.fields=false");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(results()["power_balance_error"].get<double>(), 1e-4);
  const auto rows = results()["s_parameters"];
  const double kz = 2 * pi * 12e9 / speed_of_light * std::cos(35 * pi / 180);
  const auto s31 = rows[0][rows[0].contains("s7_1") ? "s5_1" : "s3_1"];
  EXPECT_LT(std::abs(Complex(s31[0], s31[1]) - std::polar(1.0, -kz * 12e-3)), 2e-3);
  EXPECT_EQ(results().contains("reciprocity_error"), false);
}

TEST_F(Periodic, SweepOfAPhaseGivesTheBandsOfTheEmptyLattice) {
  write("band.toml", head + "[analysis]\ntype = \"eigen\"\nmodes = 2\n" +
                         "[[periodic]]\nprimary = \"left\"\nsecondary = \"right\"\nphase = 0\n"
                         "[[periodic]]\nprimary = \"front\"\nsecondary = \"back\"\nphase = 0\n"
                         "[[boundary]]\nregion = [\"top\", \"bottom\"]\ntype = \"pec\"\n");
  const Ended ended =
      run("fem-solve band.toml --output out --sweep periodic.0.phase=60:180:2 --set output.fields=false");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(path("out/sweep.csv"));
  const auto f1 = table.numbers("f1_hz");
  for (std::size_t i = 0; i < 2; ++i) {  // the plates at top and bottom carry a TEM wave
    const double phase = (60 + 120.0 * double(i)) * pi / 180;
    EXPECT_NEAR(f1.at(i) / (phase / 10e-3 * speed_of_light / (2 * pi)), 1, 2e-3);
  }
}

/// Second-order geometry keeps the faces alike.
TEST_F(Periodic, CurvedMeshesMatchToo) {
  write("cell.toml", head + pairs + ports + "[bloch]\ntheta = 20\n[frequency]\nvalues = [10e9]\n");
  const Ended ended = run("fem-solve cell.toml --output out --set mesh.order=2 --set output.fields=false");
  ASSERT_EQ(ended.status, 0) << ended.err;
  // An empty cell delays the wave; order 2 at 0.13 wavelengths is good to (k h / 4)^4 / 2 = 1e-3.
  const double kz = 2 * pi * 10e9 / speed_of_light * std::cos(20 * pi / 180);
  const auto s = test::read_touchstone(path("out/cell.s4p"));
  EXPECT_LT(std::abs(s.at(0, 2, 0) - std::polar(1.0, -kz * 12e-3)), 2e-3);
  EXPECT_LT(std::abs(s.at(0, 0, 0)), 2e-3);
}

struct Bad {
  const char* what;
  std::string text;
  const char* message;
  const char* options = "";
};

class PeriodicRefuses : public Periodic, public testing::WithParamInterface<Bad> {};

TEST_P(PeriodicRefuses, WithOneClearLine) {
  write("bad.toml", head + GetParam().text);
  const Ended ended = run(std::string("fem-solve bad.toml --output out ") + GetParam().options);
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find(GetParam().message), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out/bad.s4p"));
}

const std::string at_10_ghz = "[frequency]\nvalues = [10e9]\n";
const std::string eigen =
    "[analysis]\ntype = \"eigen\"\n[[boundary]]\nregion = [\"top\", \"bottom\"]\ntype = \"pec\"\n";

const Bad bad_inputs[] = {
    {"NoPartnerFace", "[[periodic]]\nprimary = \"left\"\nsecondary = \"front\"\n" + ports + at_10_ghz,
     "periodic faces \"left\" and \"front\" are not translations of each other"},
    {"UnknownFace", "[[periodic]]\nprimary = \"left\"\nsecondary = \"rihgt\"\n" + ports + at_10_ghz,
     "region \"rihgt\" is not in"},
    {"MeshMismatch", pairs + ports + at_10_ghz,
     "in the .geo: Periodic Surface {tags of \"right\"} = {tags of \"left\"} Translate {10, 0, 0};",
     "--set mesh.parameters.alike=0"},
    {"FloquetPortWithoutPeriodicFaces",
     ports + at_10_ghz +
         "[[boundary]]\nregion = [\"left\", \"right\", \"front\", \"back\"]\ntype = \"pec\"\n",
     "a Floquet port needs a cell with two pairs of [[periodic]] faces"},
    {"GrazingMode", pairs + ports + "[frequency]\nvalues = [29.9792458e9]\n", "is at its cut-off"},
    {"FaceInTwoPairs",
     pairs + "[[periodic]]\nprimary = \"left\"\nsecondary = \"right\"\nphase = 30\n" + ports + at_10_ghz,
     "already has a condition by periodic 1"},
    {"FaceWithBoundary", pairs + ports + at_10_ghz + "[[boundary]]\nregion = \"left\"\ntype = \"pec\"\n",
     "already has a condition"},
    {"PhaseAndVector",
     "[[periodic]]\nprimary = \"left\"\nsecondary = \"right\"\nphase = 30\n[bloch]\ntheta = 3\n" + ports +
         at_10_ghz,
     "give one of the two"},
    {"VectorWithoutFaces", ports + at_10_ghz + "[bloch]\ntheta = 3\n", "[bloch] needs periodic faces"},
    {"AnglesOfAnEigenproblem", pairs + eigen + "[bloch]\ntheta = 30\n", "theta and phi need a frequency"},
    {"SymmetricMethod", pairs + ports + at_10_ghz + "[bloch]\ntheta = 30\n",
     "solver.method cocr needs a symmetric matrix", "--set solver.method=cocr"},
    {"BeyondTheLightCone", pairs + ports + at_10_ghz + "[bloch]\nwave_vector = [300, 0, 0]\n",
     "below the cut-off of its first mode TE(0,0)"},
    {"WaveguidePort",
     pairs + at_10_ghz + "[[port]]\nregion = \"top\"\n[[boundary]]\nregion = \"bottom\"\ntype = \"pec\"\n",
     "type = \"floquet\""},
    {"PlaneWave",
     pairs + at_10_ghz +
         "[excitation]\ntype = \"plane_wave\"\ntheta = 0\nphi = 0\npolarization = \"theta\"\n"
         "[[boundary]]\nregion = [\"top\", \"bottom\"]\ntype = \"absorbing\"\n",
     "[[periodic]] and [excitation] cannot be combined"}};

INSTANTIATE_TEST_SUITE_P(BadInput, PeriodicRefuses, testing::ValuesIn(bad_inputs),
                         [](const auto& test) { return std::string(test.param.what); });

}  // namespace
}  // namespace curlew::test
