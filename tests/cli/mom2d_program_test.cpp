// SPDX-License-Identifier: BSD-3-Clause
// mom2d from a config to its files, against the series, and with wrong inputs and interruptions.

#include <algorithm>
#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "io/hdf5.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();
const std::string circle = "mom2d " + source + "/configs/circle.toml --device cpu --output out ";

class Mom2d : public SummaryTest {};

TEST_F(Mom2d, CircleHasTheEchoWidthsOfTheSeries) {
  // Back, 90 degrees and forward, in dB over the wavelength of 1 m.
  const double exact[2][3] = {{5.0280, 3.9941, 15.3888}, {4.6253, 3.2360, 12.8762}};
  for (const int te : {0, 1}) {
    const Ended ended = run(circle + "--set excitation.polarization=" + (te ? "te" : "tm"));
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto width = io::read_csv(path("out/echo_width.csv")).numbers("width_dbm");
    ASSERT_EQ(width.size(), 360U);
    for (const int i : {0, 1, 2}) EXPECT_NEAR(width[std::size_t(90 * i)], exact[te][i], 6e-5);
    EXPECT_EQ(io::read_csv(path("out/current.csv")).num_rows, 256U);
    EXPECT_EQ(std::filesystem::exists(path("out/charge.csv")), te == 1);
    const auto summary = this->summary();
    EXPECT_LT(summary["results"]["scattering"][0]["power_balance_error"].get<double>(), 1e-12);
    expect_results_stage();
  }
}

/// Total Ez at a point from current.csv: exp(jkx) - k eta / 4 sum J H0(2)(k R) ds by the trapezoidal rule.
/// Source: Harrington (1993), Field Computation by Moment Methods, equation 3-2.
Complex field_of_currents(const io::CsvTable& currents, double k, double x, double y) {
  const auto px = currents.numbers("x_m"), py = currents.numbers("y_m"), s = currents.numbers("s_m"),
             re = currents.numbers("re_j_a_per_m"), im = currents.numbers("im_j_a_per_m");
  const auto integrand = [&](std::size_t i) {
    const double r = k * std::hypot(x - px[i], y - py[i]);
    return Complex(re[i], im[i]) * Complex(std::cyl_bessel_j(0, r), -std::cyl_neumann(0, r));
  };
  Complex sum{};
  for (std::size_t i = 1; i < s.size(); ++i)
    sum += 0.5 * (s[i] - s[i - 1]) * (integrand(i) + integrand(i - 1));
  return std::polar(1.0, k * x) - 0.25 * k * vacuum_impedance * sum;
}

/// Dispersive media and rough walls, by the keys of the other programs, are their numbers at the frequency.
TEST_F(Mom2d, ReadsMediaAndWallsAsTheOtherProgramsDo) {
  const std::string head =
      "[mesh]\nunit = \"mm\"\n[frequency]\nvalues = [15915494309.189535]\n[[contour]]\ntype = \"circle\"\n"
      "radius = 4\ncells = 8\nname = \"rod\"\n";
  const std::string filled = head + "material = \"water\"\n[[material]]\nregion = \"water\"\n";
  const auto widths = [&](const std::string& text) {
    write("rod.toml", text);
    const Ended ended = run("mom2d " + path("rod.toml") + " --device cpu --output out");
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path("out/echo_width.csv")).numbers("width_dbm");
  };
  const auto expect_equal = [&](const std::string& one, const std::string& other) {
    const auto a = widths(one), b = widths(other);
    for (const std::size_t i : {0, 90, 180}) EXPECT_NEAR(a.at(i), b.at(i), 1e-4) << i;
  };
  // a Debye pole at its relaxation frequency: half of it each in ε' and ε''
  expect_equal(filled +
                   "epsilon_r = 5\nmodel = { delta_epsilon = 70, "
                   "relaxation_time = 1e-11 }\n",
               filled + "epsilon_r = [40, -35]\n");
  // Rs = sqrt(πfμ0/σ) = 7.9267 ohm, doubled by roughness far above the skin depth
  const std::string wall = head + "[[boundary]]\nregion = \"rod\"\ntype = \"impedance\"\n";
  expect_equal(wall + "conductivity = 1e3\nroughness = { model = \"hammerstad\", rms = 1.0 }\n",
               wall + "surface_impedance = [15.8533, 15.8533]\n");
}

TEST_F(Mom2d, NearFieldAndContoursFromFiles) {
  std::ofstream(path("square.csv")) << "x,y\n0,0\n1,0\n1,1\n0,1\n0,0\n";
  std::ofstream(path("square.toml"))
      << "[mesh]\nunit = \"wavelength\"\n[[contour]]\ntype = \"polyline\"\nfile = \"square.csv\"\n"
      << "[output]\nnear_field = { positions = [[-1, 0.5], [2, 0.5]], points = [7, 1] }\n";
  const Ended ended = run("mom2d " + path("square.toml") + " --device cpu --output out");
  EXPECT_EQ(ended.status, 0) << ended.err;
  const auto file = io::H5File::open(path("out/near_field.vtkhdf"));
  const auto re = file.read<double>("VTKHDF/PointData/Ez_re"),
             im = file.read<double>("VTKHDF/PointData/Ez_im");
  const auto currents = io::read_csv(path("out/current.csv"));
  ASSERT_EQ(re.size(), 7U);
  // Beside the edges' singular currents the trapezoidal rule is good to 2e-3; a wrong sign or factor is 0.2
  // off.
  for (const int i : {0, 1, 5, 6}) {
    const Complex sum = field_of_currents(currents, 2 * pi, -1 + 0.5 * i, 0.5);
    EXPECT_LT(std::abs(Complex(re[std::size_t(i)], im[std::size_t(i)]) - sum), 3e-3) << i;
  }
  EXPECT_EQ(re[3], 0);  // inside the conductor
}

TEST_F(Mom2d, PhysicalCurveOfAGeometryIsTheShapeItDraws) {
  if (!std::filesystem::exists(test::program_dir() + "/em-mesh")) GTEST_SKIP() << "built without Gmsh";
  // Four quarters of a circle in millimetres; the echo widths of the series, as above.
  write("circle.geo",
        "r = 1; Point(1) = {r, 0, 0}; Point(2) = {0, r, 0}; Point(3) = {-r, 0, 0}; Point(4) = {0, -r, 0};\n"
        "Point(5) = {0, 0, 0}; Circle(1) = {1, 5, 2}; Circle(2) = {3, 5, 2}; Circle(3) = {3, 5, 4};\n"
        "Circle(4) = {4, 5, 1}; Physical Curve(\"wall\") = {3, 1, 4, 2}; Physical Curve(\"half\") = {1, 2};\n"
        "Physical Curve(\"apart\") = {1, 3}; Physical Curve(\"all\") = {1, 2, 3, 4};\n");
  write("circle.toml",
        "[mesh]\nunit = \"wavelength\"\n[[contour]]\ntype = \"curve\"\nfile = \"circle.geo\"\nregion = "
        "\"wall\"\n");
  // Two of the groups cannot be contours: the message names the file, before one is chosen.
  Ended ended = run("mom2d " + path("circle.toml") + " --device cpu --output out");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("apart"), std::string::npos) << ended.err;

  auto text = io::read_text_file(path("circle.geo"));
  text.replace(text.find("Physical Curve(\"apart\")"), 33, "//");
  write("circle.geo", text);
  ended = run("mom2d " + path("circle.toml") + " --device cpu --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto width = io::read_csv(path("out/echo_width.csv")).numbers("width_dbm");
  EXPECT_NEAR(width.at(0), 5.0280, 6e-5);
  EXPECT_NEAR(width.at(90), 3.9941, 6e-5);
  EXPECT_NEAR(width.at(180), 15.3888, 6e-5);

  ended = run("mom2d " + path("circle.toml") + " --device cpu --output out2 --set contour.0.region=wal");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("curves: wall, half"), std::string::npos) << ended.err;
}

/// A square at resonances of its inside, cos(pi x / a) and cos(2 pi x / a), which the MFIE leaves open in TM;
/// the CFIE has none. 8.154 dBm is also what another method of moments finds. The EFIE's mode, sin sin,
/// radiates nothing: no false alarm.
TEST_F(Mom2d, InteriorResonancesOfBodiesWithCornersAreToldAndCovered) {
  const auto square = [&](double side, const std::string& equation) {
    write("square.toml", "[mesh]\nunit = \"wavelength\"\n[[contour]]\ntype = \"rectangle\"\nsize = [" +
                             std::to_string(side) + ", " + std::to_string(side) +
                             "]\ncells = 8\n[formulation]\nnodes = 6\nequation = \"" + equation +
                             "\"\n[accuracy]\nestimate = \"all\"\n");
    const Ended ended = run("mom2d square.toml --device cpu --output out");
    EXPECT_EQ(ended.status, 0) << ended.err;
    return summary();
  };
  const auto back = [](const auto& told) {
    return told["results"]["scattering"][0]["backscatter_dbm"].template get<double>();
  };
  const auto is_told = [](const auto& told) {
    return told["warnings"].dump().find("inside a closed conductor") != std::string::npos;
  };
  const double known[] = {2.490, 8.154};
  for (const int i : {0, 1}) {
    const double side = 0.5 * (i + 1), right = back(square(side, "cfie"));
    EXPECT_NEAR(right, known[i], 1e-3);
    const auto wrong = square(side, "mfie");
    EXPECT_TRUE(is_told(wrong)) << side;
    double bar = 0;
    for (const auto& error : wrong["results"]["errors"])
      if (error.contains("backscatter_width_db_error")) bar = error["backscatter_width_db_error"];
    EXPECT_LT(std::abs(back(wrong) - right), bar) << side;
    EXPECT_GT(std::abs(back(wrong) - right), 1) << side << ": no resonance was met";
  }
  const auto beside = square(0.999, "mfie"), harmless = square(std::sqrt(0.5), "efie");
  EXPECT_FALSE(is_told(beside)) << beside["warnings"];
  EXPECT_NEAR(back(beside), back(square(0.999, "cfie")), 0.02);
  EXPECT_FALSE(is_told(harmless)) << harmless["warnings"];
  EXPECT_NEAR(back(harmless), back(square(std::sqrt(0.5), "cfie")), 1e-3);
}

/// The statements in the comments of the examples: three equations agree, power balances, the paper's pulses
/// come near the series of CircleHasTheEchoWidthsOfTheSeries.
TEST_F(Mom2d, ExamplesKeepWhatTheySay) {
  const std::string
      configs = "mom2d " + test::source_dir() + "/configs/",
      small = " --device cpu --output out --set 'output.near_field={positions=[[0,0],[1,1]],points=[2,2]}' ";
  std::vector<std::vector<double>> widths;
  for (const std::string equation : {"efie", "mfie", "cfie"}) {
    const Ended ended = run(configs + "d_shape.toml" + small + "--set formulation.equation=" + equation);
    ASSERT_EQ(ended.status, 0) << ended.err;
    widths.push_back(io::read_csv(path("out/echo_width.csv")).numbers("width_m"));
  }
  const double most = *std::max_element(widths[0].begin(), widths[0].end());
  for (std::size_t i = 0; i < widths[0].size(); ++i)
    for (const auto& other : {widths[1], widths[2]}) EXPECT_NEAR(other.at(i), widths[0][i], 1e-4 * most) << i;

  const Ended coated = run(configs + "coated_cylinder.toml" + small);
  ASSERT_EQ(coated.status, 0) << coated.err;
  const auto summary = this->summary();
  EXPECT_LT(summary["results"]["scattering"][0]["power_balance_error"].get<double>(), 1e-6);
  EXPECT_GT(summary["results"]["scattering"][0]["absorption_width_m"].get<double>(), 0);

  const Ended pulses = run(configs + "circle_mom.toml --device cpu --output out");
  ASSERT_EQ(pulses.status, 0) << pulses.err;
  const auto width = io::read_csv(path("out/echo_width.csv")).numbers("width_dbm");
  const double exact[3] = {5.0280, 3.9941, 15.3888};
  for (const int i : {0, 1, 2}) EXPECT_NEAR(width[std::size_t(90 * i)], exact[i], 0.02);
}

/// A wire a thousandth of a wavelength across leaves only the wave in TE, Hz = E0 / eta0. A
/// monostatic width is the one back to where the wave came from.
TEST_F(Mom2d, MagneticFieldHasItsUnitAndMonostaticWidthsLookBack) {
  const Ended wire = run(circle +
                         "--set excitation.polarization=te --set contour.0.radius=5e-4 --set "
                         "'output.near_field={positions=[[1,0],[2,1]],points=[2,2]}'");
  ASSERT_EQ(wire.status, 0) << wire.err;
  const auto file = io::H5File::open(path("out/near_field.vtkhdf"));
  const auto re = file.read<double>("VTKHDF/PointData/Hz_re"),
             im = file.read<double>("VTKHDF/PointData/Hz_im");
  ASSERT_EQ(re.size(), 4U);
  for (std::size_t i = 0; i < re.size(); ++i)
    EXPECT_NEAR(std::hypot(re[i], im[i]) * vacuum_impedance, 1, 1e-3);
  // Far thinner, its extinction is below the rounding errors of the amplitude, and cells are not the cause.
  const Ended thin = run(circle + "--set excitation.polarization=te --set contour.0.radius=1.6e-6");
  EXPECT_EQ(thin.err.find("extinction differs"), std::string::npos) << thin.err;

  const Ended back = run(circle + "--set output.monostatic=true --set excitation.phi=[0,30]");
  ASSERT_EQ(back.status, 0) << back.err;
  const auto table = io::read_csv(path("out/monostatic.csv"));
  ASSERT_EQ(table.num_rows, 2U);
  for (const double width : table.numbers("width_dbm")) EXPECT_NEAR(width, 5.0280, 6e-5);
}

TEST_F(Mom2d, ErrorsNameTheLineAndLeaveNothing) {
  const struct {
    const char *options, *text;
    int status;
  } cases[] = {
      {"--set formulation.equatoin=efie", "equation", 2},
      {"--set contour.0.type=strip --set contour.0.points=[[0,0],[1,0]]", "center", 2},
      {"--set contour.0.radius=-1", "radius", 2},
      {"--set contour.0.material=glass", "no [[material]]", 2},
      {"--set contour.0.cells=100000", "GiB", 3},
      {"--set contour.0.cells=10000000", "cells = 10000000 must be", 2},
      {"--set formulation.nodes=13", "nodes", 2},
      {"--set contour.0.radius=1e30", "wavelengths", 2},
      {"--set contour.0.center=[1e30,0]", "circle.toml: contour \"cylinder\" is 6.28 m long and lies 1e+30 m",
       2},
      {"--set frequency.values=[1e9,1e9]", "1000000000 Hz is given twice", 2},
      {"--set output.near_field={positions=[[0,0],[1e30,1]],points=[2,2]}", "near_field: [1e+30", 2},
      {"--set output.near_field={positions=[[0,0],[1,1]],points=[2,1e30]}", "near_field: points", 2},
      {"--set output.near_field={positions=[[0,0],[1,1]],points=[1000000,1000000]}", "GiB", 3},
  };
  for (const auto& c : cases) {
    const Ended ended = run(circle + c.options);
    EXPECT_EQ(ended.status, c.status) << c.options << "\n" << ended.err;
    EXPECT_NE(ended.err.find(c.text), std::string::npos) << c.options << "\n" << ended.err;
    EXPECT_FALSE(std::filesystem::exists(path("out/echo_width.csv"))) << c.options;
  }
}

TEST_F(Mom2d, LongContoursWithoutCellsAreRefused) {
  std::string text = io::read_text_file(source + "/configs/circle.toml");
  text.replace(text.find("cells = 32"), 10, "");
  write("circle.toml", text);

  const Ended ended = run("mom2d circle.toml --set contour.0.radius=1e10");

  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("circle.toml:12: contour 1: contour \"cylinder\" is 6.28e+10 wavelengths long"),
            std::string::npos)
      << ended.err;
}

TEST_F(Mom2d, OpenContoursTakeTheEfieOnly) {
  const Ended ended = run("mom2d " + source +
                          "/configs/strip.toml --device cpu --output out --set formulation.equation=mfie");
  EXPECT_EQ(ended.status, 2);
  EXPECT_NE(ended.err.find("open"), std::string::npos) << ended.err;
}

}  // namespace
}  // namespace curlew::test
