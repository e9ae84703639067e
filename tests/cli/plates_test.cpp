// SPDX-License-Identifier: BSD-3-Clause
// Plates, layers and magnetic walls inside a mesh of Gmsh, from a config to ports.csv; media with gain.

#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

class Plates : public ProgramTest {
 protected:
  /// Two air lines of 1 mm, 4 mm wide and 4 mm long, with a common plate.
  void SetUp() override {
    ProgramTest::SetUp();
    write("lines.geo",
          "SetFactory(\"OpenCASCADE\");\n"
          "Box(1) = {0, -1, 0, 4, 1, 4}; Box(2) = {0, 0, 0, 4, 1, 4};\n"
          "BooleanFragments{ Volume{1, 2}; Delete; }{}\n"
          "e = 1e-3; Physical Volume(\"air\") = Volume{:};\n"
          "Physical Surface(\"plate\") = Surface In BoundingBox{-e, -e, -e, 4+e, e, 4+e};\n"
          "t() = Surface In BoundingBox{-e, 1-e, -e, 4+e, 1+e, 4+e};\n"
          "b() = Surface In BoundingBox{-e, -1-e, -e, 4+e, -1+e, 4+e};\n"
          "l() = Surface In BoundingBox{-e, -1-e, -e, e, 1+e, 4+e};\n"
          "r() = Surface In BoundingBox{4-e, -1-e, -e, 4+e, 1+e, 4+e};\n"
          "p() = Surface In BoundingBox{-e, -1-e, -e, 4+e, 1+e, e};\n"
          "q() = Surface In BoundingBox{-e, -1-e, 4-e, 4+e, 1+e, 4+e};\n"
          "Physical Surface(\"metal\") = {t(), b()}; Physical Surface(\"sides\") = {l(), r()};\n"
          "Physical Surface(\"p1\") = p(); Physical Surface(\"p2\") = q();\n"
          "MeshSize{ PointsOf{ Volume{:}; } } = 1.2;\n");
  }
  Ended solve(const std::string& plate, const std::string& air = "") const {
    write("lines.toml",
          "[mesh]\nfile = \"lines.geo\"\nunit = \"mm\"\nwavelength_fraction = 0.25\n[space]\norder = "
          "2\n[frequency]\nvalues = [10e9]\n"
          "[[material]]\nregion = \"air\"\n" +
              air +
              "[[boundary]]\nregion = \"metal\"\ntype = \"pec\"\n[[boundary]]\nregion = \"sides\"\n"
              "type = \"pmc\"\n[[boundary]]\nregion = \"plate\"\n" +
              plate +
              "[[port]]\nregion = \"p1\"\nmodes = 2\n[[port]]\nregion = \"p2\"\nmodes = 2\n"
              "[output]\nfields = false\n");
    return run("fem-solve lines.toml --device cpu --output out");
  }
};

/// Rs/(2ηh) = 2.637 Np/m on both lines, to δ/2h = 2.5 %.
TEST_F(Plates, OfMetalLoseOnBothFaces) {
  for (const char* plate : {"type = \"impedance\"\nconductivity = 1e4\n",
                            "type = \"sheet\"\nconductivity = 1e4\nthickness = 1e-3\n"}) {
    const Ended ended = solve(plate);
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto alpha = io::read_csv(path("out/ports.csv")).numbers("alpha_per_m");
    ASSERT_EQ(alpha.size(), 4U);
    for (const double a : alpha) EXPECT_NEAR(a / 2.637, 1, 0.025) << plate;
  }
}

/// The wall now has an effect: it divides the face into two guides.
TEST_F(Plates, OfMagneticWallDivideAPort) {
  const Ended ended = solve("type = \"pmc\"\n");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("divide its face"), std::string::npos) << ended.err;
}

TEST_F(Plates, MediaWithGainAreWarnedOf) {
  const Ended ended = solve("type = \"pec\"\n", "epsilon_r = [1, 0.1]\n");
  EXPECT_NE(ended.err.find("epsilon_r has Im > 0"), std::string::npos) << ended.err;
}

/// A line of air plates, 4 mm wide, 1 mm high, 4 mm long, with a port at one end and a condition at the
/// other.
class EndedLine : public ProgramTest {
 protected:
  void SetUp() override {
    ProgramTest::SetUp();
    write("line.geo",
          "SetFactory(\"OpenCASCADE\"); Box(1) = {0, 0, 0, 4, 1, 4};\n"
          "e = 1e-3; Physical Volume(\"air\") = {1};\n"
          "t() = Surface In BoundingBox{-e, 1-e, -e, 4+e, 1+e, 4+e};\n"
          "b() = Surface In BoundingBox{-e, -e, -e, 4+e, e, 4+e};\n"
          "l() = Surface In BoundingBox{-e, -e, -e, e, 1+e, 4+e};\n"
          "r() = Surface In BoundingBox{4-e, -e, -e, 4+e, 1+e, 4+e};\n"
          "p() = Surface In BoundingBox{-e, -e, -e, 4+e, 1+e, e};\n"
          "q() = Surface In BoundingBox{-e, -e, 4-e, 4+e, 1+e, 4+e};\n"
          "Physical Surface(\"metal\") = {t(), b()}; Physical Surface(\"sides\") = {l(), r()};\n"
          "Physical Surface(\"feed\") = p(); Physical Surface(\"end\") = q();\n"
          "MeshSize{ PointsOf{ Volume{:}; } } = 1.2;\n");
  }
  Ended solve(const std::string& end, const std::string& frequencies = "[5e9, 10e9]") const {
    write("line.toml",
          "[mesh]\nfile = \"line.geo\"\nunit = \"mm\"\nwavelength_fraction = 0.25\n[space]\norder = "
          "2\n[frequency]\nvalues = " +
              frequencies +
              "\n[[material]]\nregion = \"air\"\n[[boundary]]\nregion = \"metal\"\ntype = \"pec\"\n"
              "[[boundary]]\nregion = \"sides\"\ntype = \"pmc\"\n[[boundary]]\nregion = \"end\"\n" +
              end + "[[port]]\nregion = \"feed\"\n[output]\nfields = false\n");
    return run("fem-solve line.toml --device cpu --output out");
  }
  /// S11 of the line with an impedance over that of the line at its end.
  static Complex exact(double frequency, Complex z) {
    return (z - 1.0) / (z + 1.0) * std::exp(Complex(0, -4 * pi * frequency / speed_of_light * 4e-3));
  }
};

TEST_F(EndedLine, ByALumpedElement) {
  const Ended ended = solve(
      "type = \"lumped\"\ndirection = \"y\"\nresistance = 60\ninductance = 1e-9\ncapacitance = 1e-12\n");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/line.s1p"));
  for (std::size_t i = 0; i < 2; ++i) {
    const double f = i == 0 ? 5e9 : 10e9;
    const Complex w(0, 2 * pi * f), z = 60.0 + w * 1e-9 + 1.0 / (w * 1e-12);
    EXPECT_LT(std::abs(s.at(i, 0, 0) - exact(f, z * 4.0 / vacuum_impedance)), 1e-3) << f;
  }
  const Ended wrong = solve("type = \"lumped\"\ndirection = \"y\"\n");
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("resistance [ohm], inductance [H] or capacitance"), std::string::npos)
      << wrong.err;
}

TEST_F(EndedLine, ByATabulatedImpedance) {
  write("wall.csv", "frequency_hz,impedance_re,impedance_im\n1e9,100,10\n2e10,100,200\n");
  const std::string end = "type = \"tabulated_impedance\"\ntable = \"wall.csv\"\n";
  const Ended ended = solve(end);
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/line.s1p"));
  for (std::size_t i = 0; i < 2; ++i) {
    const double f = i == 0 ? 5e9 : 10e9;
    EXPECT_LT(std::abs(s.at(i, 0, 0) - exact(f, Complex(100, 1e-8 * f) / vacuum_impedance)), 1e-3) << f;
  }
  const Ended beyond = solve(end, "[3e10]");
  EXPECT_EQ(beyond.status, 2);
  EXPECT_NE(beyond.err.find("surface impedance at 30 GHz: it covers 1 GHz to 20 GHz"), std::string::npos)
      << beyond.err;
}

/// A box of 8 x 10 x 2 mm between two plates, fed at y = 0 over all of its width, with a sheet of 6 mm
/// between the plates in the middle x = 0; x > 0 is modelled.
class HalvedSheets : public SummaryTest {
 protected:
  void SetUp() override {
    SummaryTest::SetUp();
    write("box.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 4, 10, 2};
Rectangle(100) = {0, 2, 0, 2, 6};
Rotate{ {0, 1, 0}, {0, 0, 0}, -Pi / 2 }{ Surface{100}; }
BooleanFragments{ Volume{1}; Delete; }{ Surface{100}; Delete; }
e = 1e-3;
low() = Surface In BoundingBox{-e, -e, -e, 4 + e, 10 + e, e};
high() = Surface In BoundingBox{-e, -e, 2 - e, 4 + e, 10 + e, 2 + e};
right() = Surface In BoundingBox{4 - e, -e, -e, 4 + e, 10 + e, 2 + e};
end() = Surface In BoundingBox{-e, 10 - e, -e, 4 + e, 10 + e, 2 + e};
port() = Surface In BoundingBox{-e, -e, -e, 4 + e, e, 2 + e};
sheet() = Surface In BoundingBox{-e, 2 - e, -e, e, 8 + e, 2 + e};
middle() = Surface In BoundingBox{-e, -e, -e, e, 10 + e, 2 + e};
middle() -= {sheet()};
Physical Volume("air") = Volume{:};
Physical Surface("low") = low(); Physical Surface("high") = high(); Physical Surface("right") = right();
Physical Surface("end") = end(); Physical Surface("port") = port(); Physical Surface("sheet") = sheet();
Physical Surface("middle") = middle();
)");
  }
  /// @param sides of the box that are metal @param plane x = 0
  Ended solve(const std::string& metal, const std::string& magnetic, const std::string& plane,
              const std::string& sheet, const std::string& port) const {
    write("box.toml",
          "[mesh]\nfile = \"box.geo\"\nunit = \"mm\"\nsize = 2\n[frequency]\nvalues = [1e7]\n[[material]]\n"
          "region = \"air\"\n[[boundary]]\nregion = " +
              metal + "\ntype = \"pec\"\n[[boundary]]\nregion = " + magnetic +
              "\ntype = \"pmc\"\n[[symmetry]]\naxis = \"x\"\ntype = \"" + plane +
              "\"\n[[boundary]]\nregion = \"sheet\"\ntype = \"sheet\"\n" + sheet +
              "[[port]]\nregion = \"port\"\n" + port + "[output]\nfields = false\n");
    return run("fem-solve box.toml --output out");
  }
};

/// Far below its first resonance the box is the resistor Rs h/w of all of the sheet, whose inductance is some
/// tenths of an ohm at most.
TEST_F(HalvedSheets, OnAMagneticPlaneHaveTheResistanceOfTheWhole) {
  for (const char* sheet : {"surface_impedance = 60\n", "conductivity = 1e3\nthickness = 1.6666667e-5\n"}) {
    const Ended ended = solve("[\"low\", \"high\"]", "[\"right\", \"end\", \"middle\"]", "pmc", sheet,
                              "type = \"lumped\"\ndirection = \"z\"\n");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto z = results().at("input_impedance_1_ohm");
    EXPECT_NEAR(z[0].get<double>(), 60.0 * 2 / 6, 0.02) << sheet;
    EXPECT_NEAR(z[1].get<double>(), 0, 0.3) << sheet;
  }
}

TEST_F(HalvedSheets, OnAnElectricPlaneAreRefused) {
  const Ended ended =
      solve("[\"middle\", \"right\"]", "[\"low\", \"high\", \"end\"]", "pec", "surface_impedance = 60\n", "");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("a sheet or layer lies in the plane of symmetry at 0 m on the x axis"),
            std::string::npos)
      << ended.err;
}

}  // namespace
}  // namespace curlew::test
