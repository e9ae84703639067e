// SPDX-License-Identifier: BSD-3-Clause
// ie-solve from a config to its files, as a user would, and its refusals.
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();
const std::string sphere = "ie-solve " + source + "/configs/pec_sphere.toml --device cpu --output out ";

class IeSolve : public SummaryTest {
 protected:
  void expect_refusal(const std::string& command, const std::string& words) const {
    const Ended ended = run(command);
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
  }
};

TEST_F(IeSolve, SphereOfTheAustinBenchmarks) {
  // 0.07 m: 1/13 of the wavelength; facets with the volume of the sphere, as of its curved mesh.
  const Ended ended = run(sphere + "--set mesh.size=0.07 --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto rcs = io::read_csv(path("out/rcs.csv")).numbers("rcs_dbsm");
  ASSERT_EQ(rcs.size(), 181U);
  EXPECT_NEAR(rcs[0], -5.224978, 0.1);
  EXPECT_NEAR(rcs[90], -0.355349, 0.1);
  EXPECT_NEAR(rcs[180], 1.707440, 0.1);
  EXPECT_TRUE(exists("out/currents.vtkhdf"));
  EXPECT_TRUE(exists("out/solution.h5"));
  const auto summary = this->summary();
  EXPECT_LT(summary["results"]["power_balance_error"].get<double>(), 0.02);
  expect_results_stage();
}

TEST_F(IeSolve, ManyIncidencesAreSolvedToTheirRank) {
  std::string phi = "0.0";
  for (int i = 1; i < 36; ++i) phi += "," + std::to_string(10 * i) + ".0";
  const std::string sweep =
      sphere +
      "--set mesh.size=0.2 --set accuracy.estimate=off --set solver.method=gmres --set excitation.phi=[" +
      phi + "] --set output.far_field.phi=[0,0,1] --set solver.expert.compression_tolerance=";
  const auto solved = [&](const char* tolerance) {
    const Ended ended = run(sweep + tolerance);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path("out/rcs.csv")).numbers("rcs_dbsm");
  };
  const auto few = solved("1e-5");
  const auto results = this->results();
  const auto each = solved("0");

  EXPECT_LT(results["right_hand_side_rank"].get<int>(), 24);
  EXPECT_LT(results["compression_error"].get<double>(), 1.01e-5);
  ASSERT_EQ(few.size(), 36U);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_NEAR(few[i], each[i], 0.01) << i;
  EXPECT_GT(std::abs(each[0] - each[9]), 1) << "bistatic: waves differ";
  expect_refusal(sweep + "-1", "compression_tolerance must lie from 0 to 0.1");
}

TEST_F(IeSolve, DipoleHasTheImpedanceOfNec) {
  // nec2c 1.3, wire of 0.25 mm radius (a quarter of the strip), 41 segments: 67.193 - j25.015 ohm.
  const Ended ended = run("ie-solve " + source + "/configs/dipole_strip.toml --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(path("out/impedance.csv"));
  const double r = table.numbers("re_input_impedance_ohm").at(0),
               x = table.numbers("im_input_impedance_ohm").at(0);

  EXPECT_LT(std::hypot(r - 67.193, x + 25.015), 0.03 * std::hypot(67.193, 25.015)) << r << " " << x;
  const std::complex<double> z(r, x);
  EXPECT_NEAR(table.numbers("reflection_db").at(0), 20 * std::log10(std::abs((z - 73.0) / (z + 73.0))), 1e-6);
  EXPECT_TRUE(exists("out/dipole_strip.s1p"));
  const auto gain = io::read_csv(path("out/farfield.csv"));
  EXPECT_NEAR(gain.numbers("directivity_dbi").at(90), 2.13, 0.03);
  EXPECT_NEAR(gain.numbers("gain_dbi").at(90), gain.numbers("directivity_dbi").at(90), 0.01);
}

/// The phase of a resonant dipole's reflection changes between two frequencies by the delay at their
/// middle.
TEST_F(IeSolve, TableOfPortsHasTheGroupDelay) {
  const Ended ended =
      run("ie-solve " + source +
          "/configs/dipole_strip.toml --device cpu --output out "
          "--set output.fields=false --set accuracy.estimate=off --set frequency.values=[298e6,300e6,302e6]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto reflection = io::read_csv(path("out/impedance.csv")),
             ports = io::read_csv(path("out/ports.csv"));
  const auto at = [&](std::size_t i) {
    return std::complex(reflection.numbers("re_reflection").at(i), reflection.numbers("im_reflection").at(i));
  };
  ASSERT_EQ(ports.num_rows, 3U);
  const double delay = -std::arg(at(2) / at(0)) / (2 * M_PI * 4e6);
  EXPECT_NEAR(std::stod(ports.text.at("group_delay_s")[1]) / delay, 1, 1e-6);
  EXPECT_EQ(ports.numbers("re_reference_ohm").at(0), 73);
}

TEST_F(IeSolve, PatchHasTheImpedanceOfAWireGridAndOfFiniteElements) {
  // 1 GHz. NEC-2, tests/data/patch.nec: 68.4 + j166.6 ohm, a grid of wires every 5 mm (lambda/60).
  // fem-solve configs/patch_in_air.toml with size_edge = 0.0014, 300 656 unknowns: 72.5 + j159.9 ohm.
  const Ended ended = run("ie-solve " + source +
                          "/configs/patch.toml --device cpu --output out --set frequency.start=1e9 --set "
                          "frequency.points=1 --set mesh.parameters.cells=6");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(path("out/impedance.csv"));
  const double r = 0.5 * table.numbers("re_input_impedance_ohm").at(0),
               x = 0.5 * table.numbers("im_input_impedance_ohm").at(0);

  EXPECT_LT(std::hypot(r - 68.4, x - 166.6), 0.04 * std::hypot(68.4, 166.6)) << r << " " << x;
  EXPECT_LT(std::hypot(r - 72.5, x - 159.9), 0.03 * std::hypot(72.5, 159.9)) << r << " " << x;
  const auto pattern = io::read_csv(path("out/farfield.csv"));
  EXPECT_NEAR(pattern.numbers("gain_dbi").at(0), pattern.numbers("directivity_dbi").at(0), 0.01);
}

/// An antenna on a platform, 1,295 unknowns, whose own error is 1.5 % (docs/measured/ie.md). fe-iiee, which
/// shares the mesh reader only, has the values below, extrapolated from its finest meshes and good to 1 %.
TEST_F(IeSolve, MonopoleOnAPlateHasTheImpedanceOfFiniteElements) {
  using namespace std::complex_literals;
  const Ended ended = run("ie-solve " + source +
                          "/configs/monopole_plate.toml --device cpu --output out --set "
                          "accuracy.estimate=off --set mesh.parameters.size=20 "
                          "--set mesh.parameters.size_rim=12 --set mesh.parameters.size_edge=1.2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(path("out/impedance.csv"));
  const auto r = table.numbers("re_input_impedance_ohm"), x = table.numbers("im_input_impedance_ohm");
  ASSERT_EQ(r.size(), 3U);

  const auto off = [&](std::size_t i, std::complex<double> z) {
    return std::abs(std::complex<double>(r[i], x[i]) - z) / std::abs(z);
  };
  EXPECT_LT(off(0, 11.12 - 63.40i), 0.04) << r[0] << " " << x[0];
  EXPECT_LT(off(2, 54.99 + 77.59i), 0.04) << r[2] << " " << x[2];
  // Near resonance; 0.06 with a port of no resistance, where finite elements have 50 ohm.
  EXPECT_LT(off(1, 23.85 + 5.60i), 0.04) << r[1] << " " << x[1];
}

/// At the tip fields are singular. Against scripts/rcs-of-revolution (160 segments), which shares nothing
/// with it: EFIE and CFIE are as good as their common mesh, and equal steps leave 0.9 dB in a slope of the
/// cut.
class ConeSphere : public IeSolve {
 protected:
  static constexpr const char* shrinking = "--set mesh.parameters.tip_length=6 ";
  /// [dB] in the cut, with more settings.
  double greatest_error(const std::string& more) {
    const std::array<double, 4> hh{-23.142, -24.317, -24.037, -31.140},
        vv{-17.371, -17.334, -18.539, -17.889};
    const Ended ended =
        run("ie-solve " + source +
            "/configs/cone_sphere.toml --device cpu --output out --set mesh.parameters.size=1.4 "
            "--set mesh.parameters.least_around=8 --set accuracy.estimate=off --set "
            "excitation.phi=[51.0,54.0,66.0,144.0] " +
            more);
    EXPECT_EQ(ended.status, 0) << ended.err;
    const auto table = io::read_csv(path("out/rcs.csv"));
    const auto rcs = table.numbers("rcs_dbsm");
    double greatest = 0;
    for (std::size_t i = 0; i < rcs.size(); ++i)
      greatest = std::max(greatest, std::abs(rcs[i] - (i % 2 == 0 ? hh : vv).at(i / 2)));
    return greatest;
  }
};

TEST_F(ConeSphere, ByStepsThatShrinkTowardsTheTip) {
  EXPECT_LT(greatest_error(shrinking), 0.15);
}

TEST_F(ConeSphere, DISABLED_ByDualTestingAndByEqualSteps) {
  const std::string dual = "--set formulation.equation=cfie_dual";
  EXPECT_LT(greatest_error(shrinking + dual), 0.12);
  EXPECT_GT(greatest_error(""), 0.5);
}

TEST_F(IeSolve, EquationIsChosenByTheInterior) {
  const std::string coarse =
      sphere + "--set mesh.size=0.1 --set accuracy.estimate=off --set formulation.equation=auto ";
  ASSERT_EQ(run(coarse).status, 0);  // k a = 2.0
  EXPECT_EQ(results()["equation"], "efie");
  EXPECT_NE(results()["equation_reason"].get<std::string>().find("interior resonances begin"),
            std::string::npos)
      << results()["equation_reason"];
  ASSERT_EQ(run(coarse + "--set frequency.values=[320e6,450e6]").status, 0);
  EXPECT_EQ(results()["equation"], "cfie");
  expect_refusal(coarse + "--set formulation.testing=dual", "chooses the testing too");
}

TEST_F(IeSolve, BadInputIsRefusedInOneLine) {
  const std::string strip = "ie-solve " + source + "/configs/dipole_strip.toml --output out ";
  expect_refusal(strip + "--set formulation.equation=cfie", "use equation = \"efie\"");
  expect_refusal(strip + "--set port.0.region='[\"lower\", \"uper\"]'", "surfaces: lower, upper");
  expect_refusal(strip + "--set port.0.region='[\"lower\", \"lower\"]'", "two different surfaces");
  expect_refusal(strip + "--set formulation.equation=MoM", "(nearest: efie)");
  expect_refusal(strip + "--set acceleration.type=MLFMA", "(nearest: ngim)");
  const std::string patch = "ie-solve " + source + "/configs/patch.toml --output out ";
  expect_refusal(patch + "--set port.0.direction=x", "\"port\" has no extent along the direction");
  expect_refusal(patch + "--set port.0.direction=up", "\"up\"");
  expect_refusal(strip + "--set boundary.0.region=lower", "says what surface \"upper\" is");
  expect_refusal(strip + "--set boundary.0.type=wall", "wall");
  expect_refusal(sphere + "--set mesh.size=0.2 --set formulation.alpha=2", "alpha");
  expect_refusal(
      sphere + "--set mesh.size=0.2 --set formulation.equation=cfie_dual --set solver.method=gmres",
      "has no fast sums");
  expect_refusal(
      sphere + "--set mesh.size=0.2 --set solver.method=gmres --set solver.preconditioner=loop_star",
      "\"loop_star\" is for equation = \"efie\"");
  EXPECT_FALSE(exists("out/rcs.csv"));
}

/// A Gmsh 2 mesh of triangles, `tag` by triangle from 1, and a config for it.
using Corners = std::array<int, 3>;
std::string octahedron_mesh(std::vector<Corners> triangles, const std::vector<int>& tags,
                            bool has_extra_node) {
  std::string nodes = "1 0.1 0 0\n2 -0.1 0 0\n3 0 0.1 0\n4 0 -0.1 0\n5 0 0 0.1\n6 0 0 -0.1\n";
  if (has_extra_node) nodes += "7 0.05 0.05 0\n";  // in the middle of the edge 1-3
  std::string text = "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n2 1 \"body\"\n2 2 \"cap\"\n";
  text +=
      "$EndPhysicalNames\n$Nodes\n" + std::to_string(has_extra_node ? 7 : 6) + "\n" + nodes + "$EndNodes\n";
  text += "$Elements\n" + std::to_string(triangles.size()) + "\n";
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const std::string tag = std::to_string(tags[t]);
    text += std::to_string(t + 1) + " 2 2 " + tag + " " + tag;
    for (const int n : triangles[t]) text += " " + std::to_string(n);
    text += "\n";
  }
  return text + "$EndElements\n";
}
const std::vector<Corners> octahedron{{1, 3, 5}, {3, 2, 5}, {2, 4, 5}, {4, 1, 5},
                                      {3, 1, 6}, {2, 3, 6}, {4, 2, 6}, {1, 4, 6}};
const std::vector<int> plain_tags(8, 1);

/// The config of a conductor with every surface of its mesh.
std::string conductor(const std::string& equation) {
  return "[mesh]\nfile = 'm.msh'\nunit = 'm'\n[frequency]\nvalues = [3e8]\n[formulation]\nequation = '" +
         equation +
         "'\n[[boundary]]\nregion = 'body'\ntype = 'pec'\n[excitation]\ntype = 'plane_wave'\ntheta = 0\nphi "
         "= 0\n"
         "[output]\nmonostatic = true\n";
}

TEST_F(IeSolve, BrokenSurfacesAreRefusedInOneLine) {
  write("cfie.toml", conductor("cfie"));
  const auto expect = [&](const std::vector<Corners>& triangles, const std::vector<int>& tags, bool extra,
                          const std::string& words) {
    write("m.msh", octahedron_mesh(triangles, tags, extra));
    expect_refusal("ie-solve cfie.toml --output out", words);
  };
  auto open = octahedron;
  open.pop_back();
  expect(open, plain_tags, false, "is open: MFIE and CFIE need closed surfaces, use equation = \"efie\"");
  auto split = octahedron;  // one triangle in two, its neighbour across the edge 1-3 in one
  split[0] = {1, 7, 5};
  split.push_back({7, 3, 5});
  expect(split, std::vector<int>(9, 1), true, "(nodes of one lie on edges of the other; ");
  auto twice = octahedron;
  twice.push_back(octahedron[0]);
  auto tags = plain_tags;
  tags.push_back(2);
  write("m.msh", octahedron_mesh(twice, tags, false));
  const Ended both = run("ie-solve cfie.toml --output both --set boundary.0.region='[\"body\", \"cap\"]'");
  EXPECT_EQ(both.status, 0) << both.err;
  const std::string material = "[[material]]\nregion = 'body'\nepsilon_r = 2.0\n";
  write("three.toml", conductor("efie") + material + material + material);
  write("m.msh", octahedron_mesh(octahedron, plain_tags, false));
  expect_refusal("ie-solve three.toml --output out", "surface \"body\" belongs to three materials");
  EXPECT_FALSE(exists("out/rcs.csv"));
}

/// A wave on what a geometry calls "metal" or, with a permittivity, "low" and "high".
std::string wave_on(const std::string& geometry, const std::string& surfaces) {
  return "[mesh]\nfile = '" + geometry +
         "'\nunit = 'm'\nwavelength_fraction = 0.25\n[frequency]\nvalues = [140e6]\n" + surfaces +
         "[excitation]\ntheta = 90\nphi = 90\n[accuracy]\nestimate = 'off'\n[output]\nmonostatic = true\n";
}

/// An upright strip through, or on, a flat one: as one piece of metal 2.93 dBsm, as two -9.2.
TEST_F(IeSolve, SheetsThatTouchAreOnePieceOfMetal) {
  write("t.geo", R"(SetFactory("OpenCASCADE");
DefineConstant[ low = { -0.03, Name "low" }, joined = { 0, Name "joined" } ];
Rectangle(1) = {-0.5, -0.05, 0, 1, 0.1};
Rectangle(2) = {-0.05, low, 0, 0.1, 0.5 - low};
Rotate {{1, 0, 0}, {0, 0, 0}, Pi/2} { Surface{2}; }
If (joined)
  BooleanFragments { Surface{1, 2}; Delete; }{ }
EndIf
Physical Surface("metal") = Surface{:};
Mesh.MeshSizeMax = 0.04;
)");
  write("t.toml", wave_on("t.geo", "[[boundary]]\nregion = 'metal'\ntype = 'pec'\n"));
  const auto section = [&](const std::string& parameter) {
    const Ended ended = run("ie-solve t.toml --output out --set mesh.parameters." + parameter);
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path("out/rcs.csv")).numbers("rcs_dbsm").at(0);
  };
  EXPECT_NEAR(section("joined=1"), 2.93, 0.1);
  EXPECT_NEAR(section("low=-0.03"), 2.93, 0.1);
  EXPECT_NEAR(section("low=0"), 2.9, 0.3);
  EXPECT_LT(section("low=0.0001"), 0) << "a gap is a gap";
  write("t.geo", io::read_text_file(path("t.geo")) + "Field[1] = MathEval; Field[1].F = \"1\";\n");
  expect_refusal("ie-solve t.toml --output out", "parts of surface \"metal\" touch at (");
  expect_refusal("ie-solve t.toml --output out", "join them in the geometry");
}

/// Two half cubes whose common faces have separate triangles (absorption came out below 0) are the whole
/// cube.
TEST_F(IeSolve, BodiesThatTouchAreJoined) {
  write("h.geo", R"(SetFactory("OpenCASCADE");
DefineConstant[ gap = { 0, Name "gap" } ];
Box(1) = {0, 0, 0, 1, 1, 0.5};
Box(2) = {0, 0, 0.5 + gap, 1, 1, 0.5};
Physical Surface("low") = Boundary{ Volume{1}; };
Physical Surface("high") = Boundary{ Volume{2}; };
Mesh.MeshSizeMax = 0.2;
MeshSize{ PointsOf{ Volume{2}; } } = 0.15;
)");
  write("one.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Physical Surface("cube") = Boundary{ Volume{1}; };
Mesh.MeshSizeMax = 0.15;
)");
  const std::string glass = "\nepsilon_r = [4.0, -0.4]\n", next = "[[material]]\nregion = ";
  write("h.toml", wave_on("h.geo", next + "'low'" + glass + next + "'high'" + glass));
  write("one.toml", wave_on("one.geo", next + "'cube'" + glass));
  for (const char* name : {"h", "one"}) {
    const Ended ended =
        run(std::string("ie-solve ") + name + ".toml --set accuracy.estimate=off --output " + name);
    ASSERT_EQ(ended.status, 0) << ended.err;
  }
  EXPECT_NEAR(io::read_csv(path("h/rcs.csv")).numbers("rcs_dbsm").at(0),
              io::read_csv(path("one/rcs.csv")).numbers("rcs_dbsm").at(0), 0.1);
  EXPECT_EQ(run("ie-solve h.toml --output out --dry-run --set mesh.parameters.gap=1e-4").status, 0);
}

/// Cells on both sides of a face that was meshed twice: fields do not pass, in any program on cells.
TEST_F(IeSolve, VolumesThatTouchWithoutCommonNodesAreWarnedOf) {
  write("v.geo", R"(SetFactory("OpenCASCADE");
DefineConstant[ gap = { 0, Name "gap" }, joined = { 0, Name "joined" } ];
Box(1) = {0, 0, 0, 1, 1, 0.5};
Box(2) = {0, 0, 0.5 + gap, 1, 1, 0.5};
If (joined)
  BooleanFragments { Volume{1, 2}; Delete; }{ }
EndIf
Physical Volume("low") = {1}; Physical Volume("high") = {2};
Mesh.MeshSizeMax = 0.5;
MeshSize{ PointsOf{ Volume{2}; } } = 0.3;
)");
  write("v.toml", wave_on("v.geo",
                          "[formulation]\nequation = 'volume'\n[[material]]\nregion = ['low', 'high']\n"
                          "epsilon_r = 2.0\n"));
  std::string text = io::read_text_file(path("v.toml"));
  text.erase(text.find("monostatic = true"));
  write("v.toml", text);
  const auto found = [&](const std::string& parameters) {
    return run("ie-solve v.toml --dry-run --output out --set mesh.parameters." + parameters)
               .err.find("volumes touch at (") != std::string::npos;
  };
  EXPECT_FALSE(found("gap=1e-3"));
  EXPECT_FALSE(found("joined=1"));
  EXPECT_FALSE(found("gap=0")) << "joined by em-mesh";
  write("v.geo", io::read_text_file(path("v.geo")) + "Field[1] = MathEval; Field[1].F = \"1\";\n");
  EXPECT_TRUE(found("gap=0"));
}

/// nec2c 1.3: a loop of 0.5 m radius of wire of 5 mm radius (a quarter of the band) has 0.1156 + j281.4 ohm
/// at 14 MHz; the band, 4 % more reactance. Its halves meet twice, its first and last quarter once.
TEST_F(IeSolve, AGapInTwoPlacesIsRefused) {
  write("loop.geo", R"(a = 0.5; w = 0.02;
For k In {0:1}
  z = -w/2 + k*w;
  Point(10*k+1) = {a, 0, z}; Point(10*k+2) = {0, a, z}; Point(10*k+3) = {-a, 0, z}; Point(10*k+4) = {0, -a, z};
  Point(10*k+5) = {0, 0, z};
  Circle(10*k+1) = {10*k+1, 10*k+5, 10*k+2}; Circle(10*k+2) = {10*k+2, 10*k+5, 10*k+3};
  Circle(10*k+3) = {10*k+3, 10*k+5, 10*k+4}; Circle(10*k+4) = {10*k+4, 10*k+5, 10*k+1};
EndFor
For i In {1:4}
  Line(20+i) = {i, 10+i};
EndFor
For i In {1:4}
  j = (i % 4) + 1;
  Curve Loop(i) = {i, 20+j, -(10+i), -(20+i)}; Surface(i) = {i};
  Transfinite Curve {i, 10+i} = 11; Transfinite Surface {i};
EndFor
Transfinite Curve {21:24} = 3;
Physical Surface("first") = {1}; Physical Surface("middle") = {2, 3}; Physical Surface("last") = {4};
)");
  const std::string metal = "[[boundary]]\nregion = ['first', 'middle', 'last']\ntype = 'pec'\n";
  const auto config = [&](const std::string& between) {
    return "[mesh]\nfile = 'loop.geo'\nunit = 'm'\norder = 1\nwavelength_fraction = "
           "0.25\n[frequency]\nvalues = [14e6]\n" +
           metal + "[[port]]\ntype = 'gap'\nbetween = " + between + "\n[accuracy]\nestimate = 'off'\n";
  };
  write("once.toml", config("['first', 'last']"));
  const Ended ended = run("ie-solve once.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto table = io::read_csv(path("out/impedance.csv"));
  EXPECT_NEAR(table.numbers("re_input_impedance_ohm").at(0), 0.1156, 0.05 * 0.1156);
  EXPECT_NEAR(table.numbers("im_input_impedance_ohm").at(0), 281.4, 0.05 * 281.4);

  std::string geometry = io::read_text_file(path("loop.geo"));
  geometry.replace(geometry.find("Physical"), std::string::npos,
                   "Physical Surface(\"up\") = {1, 2}; Physical Surface(\"down\") = {3, 4};\n");
  write("loop.geo", geometry);
  std::string twice = config("['up', 'down']");
  twice.replace(twice.find("'first', 'middle', 'last'"), 25, "'up', 'down'");
  write("twice.toml", twice);
  expect_refusal("ie-solve twice.toml --output out", "\"up\" and \"down\" meet in 2 places, near (");
}

/// Three squares in a row, the one in the middle a port: it is metal, whether a [[boundary]] says so or not.
TEST_F(IeSolve, LumpedPortsNeedNoBoundary) {
  write("strip.geo", R"(SetFactory("OpenCASCADE");
Rectangle(1) = {-0.05, -0.5, 0, 0.1, 0.45};
Rectangle(2) = {-0.05, -0.05, 0, 0.1, 0.1};
Rectangle(3) = {-0.05, 0.05, 0, 0.1, 0.45};
BooleanFragments { Surface{1, 2, 3}; Delete; }{ }
Physical Surface("arms") = {1, 3}; Physical Surface("feed") = {2};
Mesh.MeshSizeMax = 0.05;
)");
  const auto impedance = [&](const std::string& metal) {
    write("strip.toml",
          "[mesh]\nfile = 'strip.geo'\nunit = 'm'\nwavelength_fraction = 0.25\n[frequency]\nvalues = "
          "[140e6]\n[[boundary]]\n"
          "region = " +
              metal +
              "\ntype = 'pec'\n[[port]]\ntype = 'lumped'\nregion = 'feed'\n"
              "direction = 'y'\n[accuracy]\nestimate = 'off'\n");
    const Ended ended = run("ie-solve strip.toml --output out");
    EXPECT_EQ(ended.status, 0) << ended.err;
    const auto table = io::read_csv(path("out/impedance.csv"));
    return std::complex(table.numbers("re_input_impedance_ohm").at(0),
                        table.numbers("im_input_impedance_ohm").at(0));
  };
  const auto stated = impedance("['arms', 'feed']"), implied = impedance("'arms'");
  EXPECT_LT(std::abs(stated - implied), 1e-9 * std::abs(stated));
  EXPECT_NE(run("ie-solve strip.toml --lint").out.find("no likely mistakes"), std::string::npos);
}

/// 1 - |S|^2 of a dipole of 1e-6 wavelengths is rounding.
TEST_F(IeSolve, APortThatReflectsAllWritesNoInfinity) {
  const Ended ended = run("ie-solve " + source +
                          "/configs/dipole_strip.toml --device cpu --output out --set accuracy.estimate=off "
                          "--set frequency.values=[300]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("all power is reflected"), std::string::npos) << ended.err;
  const auto table = io::read_csv(path("out/farfield.csv"));
  for (const char* column : {"gain_dbi", "directivity_dbi", "realized_gain_dbi"})
    for (const double value : table.numbers(column)) EXPECT_LT(value, 3) << column;  // throws for inf and nan
}

TEST_F(IeSolve, FieldsAreWrittenAtTheFrequenciesAskedFor) {
  const std::string two = sphere + "--set mesh.size=0.2 --set frequency.values=[2e8,2.2e8] --set ";
  const Ended ended = run(two + "output.frequencies=[2.2e8]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_FALSE(exists("out/solution_1.h5"));
  EXPECT_TRUE(exists("out/solution_2.h5"));
  EXPECT_EQ(io::read_csv(path("out/rcs.csv")).num_rows % 2, 0U);
  expect_refusal(two + "output.frequencies=[2.1e8]", "210 MHz is not one of the frequencies");
}

/// Rayleigh: sigma = 4 pi k^4 a^6 |(eps - 1)/(eps + 2)|^2 towards the source. Surface equations lose it far
/// below resonance, and the message gives the right cure.
TEST_F(IeSolve, DielectricsFarBelowTheirSizeAreWarnedOf) {
  write("s.geo", R"(SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 0.45};
Physical Volume("body") = {1};
Physical Surface("skin") = Boundary{ Volume{1}; };
Mesh.MeshSizeMax = 0.2;
)");
  write("s.toml", wave_on("s.geo", "[[material]]\nregion = 'body'\nepsilon_r = 4.0\n"));
  const std::string dry = "ie-solve s.toml --output out --dry-run --set frequency.values=";
  EXPECT_NE(run(dry + "1e4").err.find("take equation = \"volume\""), std::string::npos);
  EXPECT_EQ(run(dry + "1e6").err.find("take equation = \"volume\""), std::string::npos);

  std::string text = io::read_text_file(path("s.toml"));
  text.replace(text.find("monostatic = true"), std::string::npos,
               "far_field = { theta = [90, 90, 1], phi = [90, 90, 1] }\n");
  write("v.toml", text);
  const Ended ended =
      run("ie-solve v.toml --output out --set formulation.equation=volume --set frequency.values=1e4");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double k = 2 * pi * 1e4 / speed_of_light, rayleigh = pi * std::pow(k * k, 2) * std::pow(0.45, 6);
  EXPECT_NEAR(io::read_csv(path("out/rcs.csv")).numbers("rcs_m2").at(0), rayleigh, 0.01 * rayleigh);
}

TEST_F(IeSolve, AdviceNamesWhatCanBeDone) {
  std::string sheet = conductor("efie");
  sheet.replace(sheet.find("type = 'pec'"), 12, "type = 'impedance'\nsurface_impedance = 50");
  write("sheet.toml", sheet);
  auto open = octahedron;
  open.pop_back();
  write("m.msh", octahedron_mesh(open, std::vector<int>(7, 1), false));
  expect_refusal("ie-solve sheet.toml --output out", "a thin sheet is type = \"film\"");
  write("film.toml", conductor("film") + "[[port]]\ntype = 'gap'\nbetween = ['body', 'cap']\n");
  expect_refusal("ie-solve film.toml --output out", "the volume and film equations have no ports");
}

TEST_F(IeSolve, TheOrderOfCornersDoesNotMatter) {
  write("mfie.toml", conductor("mfie"));
  auto turned = octahedron;
  for (const int t : {1, 2, 6}) std::swap(turned[t][0], turned[t][1]);

  double rcs[2];
  for (const bool is_turned : {false, true}) {
    write("m.msh", octahedron_mesh(is_turned ? turned : octahedron, plain_tags, false));
    const Ended ended = run("ie-solve mfie.toml --output out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    rcs[is_turned] = io::read_csv(path("out/rcs.csv")).numbers("rcs_m2").at(0);
  }

  EXPECT_NEAR(rcs[1], rcs[0], 1e-9 * rcs[0]);
}

TEST_F(IeSolve, CoarseMeshIsAWarningWithNumbers) {
  const Ended ended = run(sphere + "--set mesh.size=0.2 --set frequency.values=[1e9,0.9e9] --dry-run");
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto at = ended.err.find("of the shortest wavelength");
  ASSERT_NE(at, std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("1 GHz: the longest edge"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("of the shortest wavelength", at + 1), std::string::npos) << ended.err;  // once
  expect_refusal(sphere + "--set mesh.size=0.2 --set frequency.values=1e30",
                 "check frequency and [mesh] unit");
}

TEST_F(IeSolve, PreconditionerFollowsTheMesh) {
  const std::string efie = sphere +
                           "--set mesh.size=0.2 --set accuracy.estimate=off --set formulation.equation=efie "
                           "--set solver.method=gmres --set ";
  for (const auto& [frequency, name] : {std::pair{"15904", "loop_star"}, {"320e6", "near"}}) {
    const Ended ended = run(efie + "frequency.values=" + frequency);
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto summary = this->summary();
    EXPECT_EQ(summary["results"]["preconditioner"], name);
  }
}

/// ka = 2.744 is the first resonance of a spherical cavity: the EFIE's currents are wrong there, and nothing
/// in its solution shows it. 10 % below it there is no warning; the CFIE has no resonances.
TEST_F(IeSolve, InteriorResonancesAreWarnedOf) {
  const auto warned = [&](const std::string& equation, double ka) {
    const double frequency = ka * 299792458.0 / (2 * 3.14159265358979 * 0.3);
    const Ended ended = run(sphere + "--dry-run --set mesh.size=0.1 --set formulation.equation=" + equation +
                            " --set frequency.values=" + std::to_string(frequency));
    EXPECT_EQ(ended.status, 0) << ended.err;
    return ended.err.find("the inside of the closed conductor \"sphere\" can have resonances") !=
           std::string::npos;
  };
  EXPECT_TRUE(warned("efie", 2.744));
  EXPECT_TRUE(warned("mfie", 2.744));
  EXPECT_TRUE(warned("efie", 6.0));
  EXPECT_FALSE(warned("cfie", 2.744));
  EXPECT_FALSE(warned("efie", 2.3));
}

/// No CFIE is offered where there is none: the advice is another.
TEST_F(IeSolve, ResonancesUnderACoatingAreWarnedOfWithAdviceThatHelps) {
  write("coated.geo", R"(SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 0.3};
Sphere(2) = {0, 0, 0, 0.4};
Physical Surface("core") = Boundary{ Volume{1}; };
Physical Surface("coat") = Boundary{ Volume{2}; };
)");
  write(
      "coated.toml",
      wave_on("coated.geo",
              "[formulation]\nequation = 'efie'\n[[boundary]]\nregion = 'core'\ntype = 'pec'\n[[material]]\n"
              "region = ['core', 'coat']\nepsilon_r = 2\n"));
  const Ended ended = run("ie-solve coated.toml --dry-run --output out --set frequency.values=6e8");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("\"core\" can have resonances"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("1 % above and below"), std::string::npos) << ended.err;
  EXPECT_EQ(ended.err.find("has no resonances"), std::string::npos) << ended.err;
}

/// Its coat would be left out in silence, and the metal solved bare.
TEST_F(IeSolve, ABodyWithoutAllOfItsSurfacesIsRefused) {
  const std::string geometry = R"(SetFactory("OpenCASCADE");
Sphere(1) = {0, 0, 0, 0.3};
Sphere(2) = {0, 0, 0, 0.4};
BooleanDifference(3) = { Volume{2}; Delete; }{ Volume{1}; };
core() = Abs(Boundary{ Volume{1}; });
outside() = Abs(Boundary{ Volume{3}; });
outside() -= {core()};
Recursive Delete { Volume{1}; }
Physical Volume("coat") = {3};
Physical Surface("core") = {core()};
)";
  write("coat.toml", wave_on("coat.geo",
                             "[formulation]\nequation = 'efie'\n[[boundary]]\nregion = 'core'\ntype = 'pec'\n"
                             "[[material]]\nregion = 'coat'\nepsilon_r = 2\n"));
  const auto dry_run = [&](const std::string& more) {
    write("coat.geo", geometry + more);
    return run("ie-solve coat.toml --dry-run --output out");
  };
  const Ended ended = dry_run("");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("volume \"coat\" are in no Physical Surface"), std::string::npos) << ended.err;
  EXPECT_EQ(dry_run("Physical Surface(\"outside\") = {outside()};\n").status, 0);
}

/// A slab on a greater block, whose face is part of that, and a body of two volumes with nothing between
/// them.
TEST_F(IeSolve, ABodyWhoseFacesBelongToOthersToo) {
  write("slab.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {-0.2, -0.2, 0, 0.4, 0.4, 0.1};
Box(2) = {-0.4, -0.4, -0.2, 0.8, 0.8, 0.2};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
block() = Abs(Boundary{ Volume{2}; });
sides() = Abs(Boundary{ Volume{1}; });
sides() -= {block()};
Physical Volume("slab") = {1};
Physical Volume("block") = {2};
Physical Surface("sides") = {sides()};
Physical Surface("ground") = {block()};
)");
  write("slab.toml", wave_on("slab.geo",
                             "[formulation]\nequation = 'efie'\n[[boundary]]\nregion = 'ground'\ntype = "
                             "'pec'\n[[material]]\nregion = 'slab'\nepsilon_r = 2\n"));
  const Ended slab = run("ie-solve slab.toml --dry-run --output out");
  EXPECT_EQ(slab.status, 0) << slab.err;

  write("halves.geo", R"(SetFactory("OpenCASCADE");
Box(1) = {-0.2, -0.2, -0.2, 0.2, 0.4, 0.4};
Box(2) = {0, -0.2, -0.2, 0.2, 0.4, 0.4};
BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
between() = Surface In BoundingBox{-0.01, -1, -1, 0.01, 1, 1};
a() = Abs(Boundary{ Volume{1}; });
a() -= {between()};
b() = Abs(Boundary{ Volume{2}; });
b() -= {between()};
Physical Volume("a") = {1};
Physical Volume("b") = {2};
Physical Surface("outA") = {a()};
Physical Surface("outB") = {b()};
)");
  write("halves.toml", wave_on("halves.geo",
                               "[formulation]\nequation = 'efie'\n[[material]]\nregion = "
                               "['a', 'b']\nepsilon_r = 2\n"));
  const Ended halves = run("ie-solve halves.toml --dry-run --output out");
  EXPECT_EQ(halves.status, 0) << halves.err;
}

/// The open-circuit impedance of a slab, -j eta cot(k d), with d in metres whatever the unit of the mesh.
TEST_F(IeSolve, ThicknessIsInMetres) {
  const auto rcs = [&](const std::string& keys) {
    std::string config = conductor("efie");
    config.replace(config.find("unit = 'm'"), 10, "unit = 'mm'");
    config.replace(config.find("type = 'pec'"), 12, "type = 'impedance'\n" + keys);
    write("slab.toml", config);
    write("m.msh", octahedron_mesh(octahedron, plain_tags, false));
    const Ended ended = run("ie-solve slab.toml --set frequency.values=3e11 --output out");
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path("out/rcs.csv")).numbers("rcs_m2").at(0);
  };
  const std::complex<double> n = std::sqrt(std::complex<double>(4, -1)), j(0, 1);
  const double k0 = 2 * 3.14159265358979324 * 3e11 / 299792458.0;
  const auto z = -j * 376.730313668 / n / std::tan(k0 * n * 2e-5);

  const double slab = rcs("thickness = 2e-5\n[[material]]\nregion = 'body'\nepsilon_r = [4, -1]");
  EXPECT_EQ(rcs("thickness = 2e-5\nepsilon_r = [4, -1]"), slab) << "as it was spelled before";
  EXPECT_NEAR(
      rcs("surface_impedance = [" + std::to_string(z.real()) + ", " + std::to_string(z.imag()) + "]") / slab,
      1, 1e-5);
}

/// Sheets on the faces of a board and a port in it: what is metal need not be named as a face of the board.
TEST_F(IeSolve, PatchOnABoard) {
  const std::string board = "ie-solve " + source +
                            "/configs/patch_board.toml --device cpu --output out --set frequency.points=1 "
                            "--set mesh.parameters.size_edge=8 --set mesh.parameters.size_board=16 ";
  const auto impedance = [&](const std::string& more) {
    const Ended ended = run(board + more);
    EXPECT_EQ(ended.status, 0) << ended.err;
    const auto table = io::read_csv(path("out/impedance.csv"));
    return std::complex<double>(table.numbers("re_input_impedance_ohm").at(0),
                                table.numbers("im_input_impedance_ohm").at(0));
  };
  const std::string no_bars = "--set accuracy.estimate=off ";
  const auto z = impedance("");
  const double gain = io::read_csv(path("out/farfield.csv")).numbers("gain_dbi").at(0);
  EXPECT_NEAR(gain, 7.1, 0.2) << "towards z, as on the fine mesh of docs/measured/ie.md";
  EXPECT_LT(std::abs(impedance(no_bars + "--set material.0.region=bare") - z), 1e-6 * std::abs(z));
  EXPECT_GT(std::abs(impedance(no_bars + "--set material.0.epsilon_r=1.0") - z), 0.3 * std::abs(z));

  expect_refusal(board + "--set formulation.equation=cfie",
                 "\"patch\" is open: MFIE and CFIE need closed surfaces");
  expect_refusal(board + "--set boundary.0.type=impedance --set boundary.0.surface_impedance=1.0",
                 "surface \"patch\" is an impedance and a surface of a material");
  expect_refusal(board + "--set solver.method=gmres --set solver.preconditioner=loop_star",
                 "\"loop_star\" is for equation");
}

/// Far below the wavelength extinction is lost in rounding: no warning about the mesh.
TEST_F(IeSolve, SmallBodiesDoNotWarnOfTheirPower) {
  const Ended ended =
      run(sphere + "--set mesh.size=0.2 --set frequency.values=15904 --set formulation.equation=efie");
  EXPECT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(ended.err.find("extinction differs"), std::string::npos) << ended.err;
}

/// On one core too, where the program itself takes less: memory of OpenBLAS is not available for the
/// matrix.
TEST_F(IeSolve, MatrixThatDoesNotFitEndsBeforeItIsMade) {
  CURLEW_LIMITS_ADDRESS_SPACE();
  const std::string command = "ulimit -v 500000 && timeout 60 " + sphere;
  const Ended ended = run(
      command + "--threads 1 --set mesh.size=0.03 --set solver.method=direct --set solver.precision=double");
  EXPECT_EQ(ended.status, 3) << ended.err;
  EXPECT_NE(ended.err.find("matrix and factors needs"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("are available"), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out/rcs.csv"));
}

/// 48 waves at one frequency, one thread, in groups of three.
const std::string waves_in_groups =
    "ie-solve " + source +
    "/configs/pec_sphere.toml --device cpu --threads 1 --no-report --set mesh.size=0.12 --set "
    "solver.method=gmres --set acceleration.type=none --set solver.expert.group=3 --set "
    "solver.expert.compression_tolerance=0 --set output.monostatic=true --set accuracy.estimate=off --set "
    "output.fields=false --set "
    "'excitation.phi=[0,5,10,15,20,25,30,35,40,45,50,55,60,65,70,75,80,85,90,95,100,105,110,115]' --set "
    "'excitation.polarization=[\"phi\",\"theta\"]' ";

/// Kept groups are those of currents, or of cross-sections alone; the rest of the run is the same.
TEST_F(IeSolve, AKilledRunGoesOnBehindItsLastGroupToTheBit) {
  for (const std::string solution : {"true", "false"}) {
    const std::string command = waves_in_groups + "--set output.solution=" + solution + " --output ";
    const std::string whole = "whole_" + solution, part = "part_" + solution;
    ASSERT_EQ(run(command + whole).status, 0) << io::read_text_file(path("err.txt"));

    run("{ " + command + part + " & pid=$!; for i in $(seq 4000); do test -e " + part +
        "/solved_1_2.h5 && break; sleep 0.005; done; kill -9 $pid; wait $pid; }");
    ASSERT_TRUE(exists(part + "/solved_1_2.h5")) << "killed too late: the test tests nothing";
    EXPECT_FALSE(exists(part + "/rcs.csv"));
    const Ended resumed = run(command + part + " --resume");

    ASSERT_EQ(resumed.status, 0) << resumed.err;
    EXPECT_NE(resumed.err.find("solved before"), std::string::npos) << resumed.err;
    EXPECT_FALSE(exists(part + "/solved_1_1.h5"));
    const auto rows = [&](const std::string& folder) {
      return io::read_csv(path(folder + "/rcs.csv")).numbers("rcs_m2");
    };
    EXPECT_EQ(rows(part).size(), 48u);
    EXPECT_EQ(rows(part), rows(whole));
    EXPECT_EQ(results(part)["scattering"], results(whole)["scattering"]);
    EXPECT_EQ(results(part)["iterations"], results(whole)["iterations"]);
    EXPECT_EQ(exists(part + "/solution.h5"), solution == "true");
  }
  EXPECT_EQ(results("whole_true")["iterations"], results("whole_false")["iterations"]);
  // One sum over all waves or over three rounds differently.
  const auto with = io::read_csv(path("whole_true/rcs.csv")).numbers("rcs_m2"),
             without = io::read_csv(path("whole_false/rcs.csv")).numbers("rcs_m2");
  for (std::size_t w = 0; w < with.size(); ++w) EXPECT_NEAR(without[w], with[w], 1e-9 * with[0]) << w;
}

/// Three sheets of a STEP file that has their common edges twice. On the axis three reflections send
/// everything back, 4 pi a^4 / (3 lambda^2) as the plates become large; by its threefold symmetry both
/// polarisations see the same. Aside of it the body is its own image in the plane of x = y.
TEST_F(IeSolve, TrihedralOfSheetsFromAStepFile) {
  const Ended ended = run("ie-solve " + source +
                          "/configs/trihedral.toml --device cpu --no-report --set mesh.size=40 "
                          "--set excitation.phi=[30,45,60] --set accuracy.estimate=off --output sheets");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto rcs = io::read_csv(path("sheets/rcs.csv")).numbers("rcs_dbsm");
  ASSERT_EQ(rcs.size(), 6U);
  constexpr double a = 0.9, wavelength = 0.299792458,
                   optics = 4 * pi * a * a * a * a / (3 * wavelength * wavelength);
  // 0.0098 dB for each millimetre of the size, 0.4 here, and 0.1 of plates of three wavelengths: 0.5 below.
  EXPECT_NEAR(rcs[2], 10 * std::log10(optics), 0.65);
  // The mesh is not as symmetric as the body: a twentieth of its error.
  EXPECT_NEAR(rcs[3], rcs[2], 0.02);
  EXPECT_NEAR(rcs[4], rcs[0], 0.02);
  EXPECT_NEAR(rcs[5], rcs[1], 0.02);
}

/// Waves from all directions on the aircraft, which is symmetric about y = 0: one of each symmetric pair is
/// solved, at once and in groups whose currents are dropped. Waves of one side alone have no images.
TEST_F(IeSolve, DISABLED_WavesThatAreImagesOfOthersAreNotSolved) {
  const std::string command =
      "ie-solve " + source +
      "/configs/ducted_aircraft.toml --device cpu --no-report --set frequency.values=[3e8] "
      "--set mesh.wavelength_fraction=0.2 --set accuracy.estimate=off --set "
      "acceleration.type=none --set output.solution=false --set "
      "'excitation.polarization=[\"phi\",\"theta\"]' ";
  const auto solved = [&](const std::string& method, int from, int to, const std::string& folder) {
    std::string phi;
    for (int i = from; i <= to; ++i) phi += (phi.empty() ? "" : ",") + std::to_string(20 * i);
    const Ended ended = run(command + "--set solver.method=" + method + " --set excitation.phi=[" + phi +
                            "] -v --output " + folder);
    EXPECT_EQ(ended.status, 0) << ended.err;
    const bool is_told =
        ended.err.find("plane of symmetry y = 0: 20 of 38 waves are solved") != std::string::npos;
    EXPECT_EQ(is_told, to - from == 18) << ended.err;
    EXPECT_EQ(summary(folder)["sizes"]["right_hand_sides"].get<int>(), 20 - 2 * (from > 0));
    return io::read_csv(path(folder + "/rcs.csv")).numbers("rcs_m2");
  };
  auto each = solved("direct", 0, 9, "each");
  const auto others = solved("direct", 10, 18, "others"), half = solved("direct", 0, 18, "half"),
             half_in_groups = solved("gmres --set solver.tolerance=1e-6 --set solver.expert.group=7", 0, 18,
                                     "half_in_groups");
  each.insert(each.end(), others.begin(), others.end());
  ASSERT_EQ(each.size(), 38U);
  const double most = *std::max_element(each.begin(), each.end());
  for (std::size_t w = 0; w < each.size(); ++w) {
    EXPECT_NEAR(half[w], each[w], 1e-4 * most) << w;  // errors of integrals, which are not symmetric
    EXPECT_NEAR(half_in_groups[w], each[w], 1e-4 * most) << w;
  }
  // Rows of the table: cross-sections of the first waves, which groups put together.
  const auto table = results("half")["scattering"], of_groups = results("half_in_groups")["scattering"];
  ASSERT_EQ(of_groups.size(), table.size());
  for (std::size_t w = 0; w < 20; ++w) {
    EXPECT_EQ(of_groups.at(w).at("phi_inc_deg"), table.at(w).at("phi_inc_deg"));
    const auto section = table.at(w).at("scattering_m2").get<double>();
    EXPECT_NEAR(of_groups.at(w).at("scattering_m2").get<double>(), section, 1e-4 * section) << w;
  }
}

/// 1200 waves a tenth of a degree apart: recycled directions of a group solve most of those that follow.
TEST_F(IeSolve, MemoryHoldsTheCurrentsOfAGroupWhereTheyAreNotWanted) {
  std::string phi = "0";
  for (int i = 1; i < 1200; ++i) phi += "," + std::to_string(0.1 * i);
  const std::string command =
      "ie-solve " + source +
      "/configs/pec_sphere.toml --device cpu --threads 1 --no-report --set mesh.size=0.08 --set "
      "solver.method=gmres --set acceleration.type=none --set solver.expert.group=32 --set "
      "solver.tolerance=1e-2 "
      "--set "
      "solver.expert.compression_tolerance=0 --set output.monostatic=true --set accuracy.estimate=off --set "
      "output.fields=false --set excitation.phi=[" +
      phi + "] ";
  double peak[2], currents = 0;
  for (const int dropped : {0, 1}) {
    const Ended ended =
        run(command + "--set output.solution=" + (dropped == 1 ? "false" : "true") + " --output out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    peak[dropped] = summary()["peak_memory_bytes"].get<double>();
    currents = 16.0 * 1200 * summary()["sizes"]["unknowns"].get<double>();
  }
  // Set-up memory is used again for a part of them. If currents were kept, both peaks would be equal.
  EXPECT_LT(peak[1], peak[0] - 0.4 * currents);
}

}  // namespace
}  // namespace curlew::test
