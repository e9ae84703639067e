// SPDX-License-Identifier: BSD-3-Clause
// An antenna with a port in a plane wave: by reciprocity it receives as it radiates.
#include <cmath>
#include <fstream>
#include <vector>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "io/csv.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

class Receiving : public ProgramTest {
 protected:
  /// A strip dipole fed off its middle, lumped port of 73 ohm, wavelength 1 m, in a ball of radius 0.4 m.
  void SetUp() override {
    ProgramTest::SetUp();
    write("strip.geo",
          "SetFactory(\"OpenCASCADE\");\nw = 0.02; e = 1e-4;\nSphere(1) = {0, 0, 0, 0.4};\n"
          "Rectangle(10) = {-w/2, 0.015, 0, w, 0.14};\nRectangle(11) = {-w/2, -0.265, 0, w, 0.25};\n"
          "Rectangle(12) = {-w/2, -0.015, 0, w, 0.03};\n"
          "Rotate {{1, 0, 0}, {0, 0, 0}, Pi/2} { Surface{10, 11, 12}; }\n"
          "BooleanFragments{ Volume{1}; Delete; }{ Surface{10, 11, 12}; Delete; }\n"
          "upper() = Surface In BoundingBox{-w, -e, 0.015 - e, w, e, 0.2};\n"
          "lower() = Surface In BoundingBox{-w, -e, -0.3, w, e, -0.015 + e};\n"
          "feed() = Surface In BoundingBox{-w, -e, -0.015 - e, w, e, 0.015 + e};\n"
          "ball() = CombinedBoundary{ Volume{:}; };\n"
          "Physical Volume(\"air\") = {1};\nPhysical Surface(\"arms\") = {upper(), lower()};\n"
          "Physical Surface(\"feed\") = {feed()};\nPhysical Surface(\"ball\") = {ball()};\n"
          "MeshSize{ PointsOf{ Volume{:}; } } = 0.1;\nMeshSize{ PointsOf{ Surface{upper(), lower(), feed()}; "
          "} } = 0.025;\n");
    write(
        "strip.toml",
        "[mesh]\nfile = \"strip.geo\"\nunit = \"m\"\nwavelength_fraction = 0.25\norder = 2\n[space]\norder = "
        "2\n[frequency]\nvalues = "
        "[299792458.0]\n"
        "[[material]]\nregion = \"air\"\n[[boundary]]\nregion = \"arms\"\ntype = \"pec\"\n"
        "[[port]]\nregion = \"feed\"\ntype = \"lumped\"\nresistance = 73\ndirection = \"z\"\nexcite = true\n"
        "[excitation]\ntype = \"plane_wave\"\ntheta = [50, 110]\nphi = [20]\namplitude = 2\n"
        "[output]\nfields = false\nfar_field = { theta = [50, 110, 2], phi = [20, 20, 1] }\n");
  }

  /// b = j? lambda E0 F / 2 eta up to one phase for all directions, F = E r exp(jkr) of 1 W incident: from
  /// the effective area lambda^2 G / 4 pi.
  void expect_reciprocity() const {
    const auto sent = io::read_csv(path("out/farfield.csv")),
               received = io::read_csv(path("out/received.csv"));
    const auto re = sent.numbers("re_e_theta"), im = sent.numbers("im_e_theta"),
               re_b = received.numbers("re_b"), im_b = received.numbers("im_b");
    ASSERT_EQ(re.size(), 2U);
    ASSERT_EQ(re_b.size(), 2U);
    std::vector<Complex> ratio;
    for (std::size_t i = 0; i < 2; ++i)
      ratio.push_back(Complex(re_b[i], im_b[i]) * vacuum_impedance / Complex(re[i], im[i]));  // amplitude 2
    EXPECT_NEAR(std::abs(ratio[0]), 1, 5e-3);
    EXPECT_LT(std::abs(ratio[1] / ratio[0] - 1.0), 5e-3);
  }
};

TEST_F(Receiving, ReciprocityInsideASecondOrderAbsorbingBoundary) {
  std::ofstream(path("strip.toml"), std::ios::app)
      << "[[boundary]]\nregion = \"ball\"\ntype = \"absorbing\"\norder = 2\nradius = 0.4\n";
  const Ended ended = run("fem-solve strip.toml --output out --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_reciprocity();
}

TEST_F(Receiving, ReciprocityInsideALayer) {
  std::ofstream(path("strip.toml"), std::ios::app)
      << "[[pml]]\naround = \"ball\"\ncenter = [0, 0, 0]\nthickness = 0.3\nreflection = 1e-4\n"
         "[[output.near_field]]\nname = \"beyond\"\npositions = [[0, 0, 3]]\n";
  const Ended ended = run("fem-solve strip.toml --output out --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_reciprocity();
  EXPECT_TRUE(exists("out/rcs.csv"));
  EXPECT_EQ(io::read_csv(path("out/near_beyond.csv")).num_rows, 3U);
}

/// A matched lumped port is a sheet of its resistance, and so is a lumped element: they scatter as the sheet
/// does. The fields of both are solved for without a surface where the wave enters.
TEST_F(Receiving, DISABLED_ScattersAsAResistiveSheetInThePlaceOfThePort) {
  const std::string more =
      "[[pml]]\naround = \"ball\"\ncenter = [0, 0, 0]\nthickness = 0.3\nreflection = 1e-4\n"
      "[[output.near_field]]\nname = \"p\"\npositions = [[0.2, 0.1, 0.1], [0.5, 0.7, "
      "0.9]]\n";
  auto text = io::read_text_file(path("strip.toml")) + more;
  write("strip.toml", text);
  const auto first = text.find("[[port]]"), last = text.find("[excitation]");
  // 73 ohm over a face 0.03 m long and 0.02 m wide.
  text.replace(first, last - first,
               "[[boundary]]\nregion = \"feed\"\ntype = \"sheet\"\nsurface_impedance = 48.66666667\n");
  write("sheet.toml", text);
  const std::string sheet_table = "type = \"sheet\"\nsurface_impedance = 48.66666667\n";
  write("element.toml", text.replace(text.find(sheet_table), sheet_table.size(),
                                     "type = \"lumped\"\nresistance = 73\ndirection = \"z\"\n"));

  const Ended port = run("fem-solve strip.toml --output port"),
              sheet = run("fem-solve sheet.toml --output sheet"),
              element = run("fem-solve element.toml --output element");

  ASSERT_EQ(port.status, 0) << port.err;
  ASSERT_EQ(sheet.status, 0) << sheet.err;
  ASSERT_EQ(element.status, 0) << element.err;
  const auto rcs = io::read_csv(path("port/rcs.csv")).numbers("rcs_m2"),
             expected = io::read_csv(path("sheet/rcs.csv")).numbers("rcs_m2"),
             of_element = io::read_csv(path("element/rcs.csv")).numbers("rcs_m2");
  ASSERT_EQ(rcs.size(), 4U);
  ASSERT_EQ(expected.size(), 4U);
  ASSERT_EQ(of_element.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(rcs[i] / expected[i], 1, 0.02) << i;
    EXPECT_NEAR(of_element[i] / expected[i], 1, 0.02) << i;
  }
  const auto a = io::read_csv(path("port/near_p.csv")), b = io::read_csv(path("sheet/near_p.csv"));
  int compared = 0;
  for (std::size_t i = 0; i < a.num_rows; ++i)
    for (std::size_t j = 0; j < b.num_rows; ++j) {
      if (a.text.at("excitation")[i] != b.text.at("excitation")[j] || b.text.at("field")[j] != "total" ||
          a.numbers("x_m")[i] != b.numbers("x_m")[j])
        continue;
      for (const char* name : {"ez", "hy"}) {
        const Complex here(a.numbers(std::string("re_") + name)[i], a.numbers(std::string("im_") + name)[i]),
            there(b.numbers(std::string("re_") + name)[j], b.numbers(std::string("im_") + name)[j]);
        EXPECT_LT(std::abs(here - there), 0.02 * std::abs(there)) << name << " " << i;
      }
      ++compared;
    }
  EXPECT_EQ(compared, 4);
}

/// A current element p along E of TE10 in a matched guide: both ports receive b = -p E/4, E of 1 W there,
/// E0 = sqrt(4 Zte / ab), with the phase of the way to the port's plane of reference.
TEST_F(Receiving, DipoleInAGuideSendsBothWays) {
  const std::string source = test::source_dir();
  auto text = io::read_text_file(source + "/configs/wr90.toml");
  text.replace(text.find("../meshes"), 9, source + "/meshes");
  write("guide.toml", text +
                          "deembed = 4e-3\n[excitation]\ntype = \"dipole\"\nposition = [11.43, 5, 13]\n"
                          "direction = [0, 1, 0]\nmoment = 1e-3\nformulation = \"total\"\n");
  const Ended ended =
      run("fem-solve guide.toml --output out --set output.fields=false --set frequency.values=1e10");
  ASSERT_EQ(ended.status, 0) << ended.err;

  const double a = 22.86e-3, b = 10.16e-3, k = 2 * pi * 1e10 / speed_of_light,
               beta = std::sqrt(k * k - pi * pi / (a * a)),
               e0 = std::sqrt(4 * k * vacuum_impedance / beta / (a * b));
  const auto received = io::read_csv(path("out/received.csv"));
  const double way[] = {13e-3, 30e-3 - 13e-3 - 4e-3};
  for (std::size_t i = 0; i < 2; ++i) {
    const Complex wave(received.numbers("re_b").at(i), received.numbers("im_b").at(i));
    EXPECT_LT(std::abs(wave / (-0.25e-3 * e0 * std::polar(1.0, -beta * way[i])) - 1.0), 1e-2) << i << wave;
  }
}

/// A medium that reaches the absorbing boundary: the wave would have to come through it.
TEST_F(Receiving, WaveThroughMatterAtTheAbsorbingBoundaryIsRefused) {
  write("reach.geo",
        "SetFactory(\"OpenCASCADE\");\nBox(1) = {0, 0, 0, 1, 1, 1};\nBox(2) = {0.4, 0.4, 0, 0.2, 0.2, 0.5};\n"
        "BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\nPhysical Volume(\"post\") = {2};\n"
        "rest() = Volume{:};\nrest() -= {2};\nPhysical Volume(\"air\") = rest();\n"
        "outer() = CombinedBoundary{ Volume{:}; };\nPhysical Surface(\"outer\") = outer();\n"
        "MeshSize{ PointsOf{ Volume{:}; } } = 0.3;\n");
  for (const auto& [post, status] : {std::pair{"epsilon_r = 3.0", 2}, {"epsilon_r = 1.0", 0}}) {
    write("reach.toml",
          "[mesh]\nfile = \"reach.geo\"\nunit = \"m\"\n[frequency]\nvalues = [1e8]\n[[material]]\nregion = "
          "\"air\"\n[[material]]\nregion = \"post\"\n" +
              std::string(post) +
              "\n[[boundary]]\nregion = \"outer\"\ntype = \"absorbing\"\n[excitation]\ntype = "
              "\"plane_wave\"\ntheta = [90.0]\nphi = [0.0]\n");
    const Ended ended = run("fem-solve reach.toml --output out --dry-run");
    EXPECT_EQ(ended.status, status) << ended.err;
    if (status == 2) {
      EXPECT_NE(ended.err.find("absorbing boundary \"outer\""), std::string::npos) << ended.err;
    }
  }
}

TEST_F(Receiving, BadInputIsRefused) {
  std::ofstream(path("strip.toml"), std::ios::app)
      << "[[boundary]]\nregion = \"ball\"\ntype = \"absorbing\"\n";
  const std::pair<std::string, std::string> cases[] = {
      {"--set excitation.type=dipole --set excitation.position=[0.1,0.1,0] --set "
       "excitation.direction=[0,0,1] --set "
       "excitation.formulation=scattered",
       "total"},
      {"--set frequency.adaptive_tolerance=1e-3", "adaptive"},
      {"--set boundary.1.order=2 --set boundary.1.type=pec", "order"}};
  for (const auto& [options, says] : cases) {
    const Ended ended = run("fem-solve strip.toml --output out --dry-run " + options);
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(says), std::string::npos) << ended.err;
  }
}

}  // namespace
}  // namespace curlew::test
