// SPDX-License-Identifier: BSD-3-Clause
// Dipoles and ports of ie-solve through its files, the names of surfaces, and what it prints of many waves.
#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "mie.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

class IeSources : public SummaryTest {
 protected:
  /// A sphere with a dipole of 1 A m along z at 300 MHz.
  void write_sphere(const std::string& surface, const std::string& radius,
                    const std::string& position) const {
    write("sphere.toml",
          "[mesh]\nfile = '" + source +
              "/meshes/sphere_surface.geo'\nunit = 'm'\norder = 2\nsize = 0.15\nparameters = { "
              "radius = " +
              radius + " }\n[frequency]\nvalues = [300e6]\n[formulation]\nequation = 'efie'\n" + surface +
              "[excitation]\ntype = 'dipole'\nposition = " + position +
              "\ndirection = [0, 0, 1]\n[output]\nfields = false\n"
              "far_field = { theta = [0, 180, 5], phi = [0, 90, 2] }\n");
  }
  void expect_run(const std::string& command) const {
    const Ended ended = run(command + " --device cpu --output out");
    ASSERT_EQ(ended.status, 0) << ended.err;
  }
  void expect_refusal(const std::string& command, const std::string& words) const {
    const Ended ended = run(command + " --device cpu --output out");
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(words), std::string::npos) << ended.err;
    EXPECT_FALSE(exists("out/farfield.csv"));
  }
};

const std::string glass = "[[material]]\nregion = 'sphere'\nepsilon_r = 4\n";
const std::string metal = "[[boundary]]\nregion = 'sphere'\ntype = 'pec'\n";

/// By reciprocity: a wave of 1 V/m from theta 90, phi 0, E along theta^ = -z, makes E_z at the dipole.
TEST_F(IeSources, DipoleInsideABodyRadiatesOutOfIt) {
  const double k = 2 * pi * 300e6 / speed_of_light, radius = 0.3, at[] = {0.05, 0.02, 0.03};
  write_sphere(glass, "0.3", "[0.05, 0.02, 0.03]");
  expect_run("ie-solve sphere.toml");

  // The series' wave travels along its z = our -x with E along its x = our -z.
  const auto inside = Mie(dielectric_sphere(radius, 4.0), k).near_field(-at[2], -at[1], -at[0]).e;
  const std::complex<double> expect = std::complex<double>(0, -k * vacuum_impedance / (4 * pi)) * -inside[0];
  const auto far = io::read_csv(path("out/farfield.csv"));
  const std::complex<double> got(far.numbers("re_e_theta")[2], far.numbers("im_e_theta")[2]);
  EXPECT_EQ(far.numbers("theta_deg")[2], 90);
  EXPECT_LT(std::abs(got - expect), 0.05 * std::abs(expect)) << got << expect;
  const auto radiation = results()["radiation"][0];
  EXPECT_NEAR(radiation["efficiency"].get<double>(), 1, 0.01);
}

TEST_F(IeSources, DipoleBesideASmallBodyIsADipole) {
  write_sphere(metal, "0.05", "[1, 0, 0]");
  expect_run("ie-solve sphere.toml --set mesh.size=0.04");

  const double k = 2 * pi * 300e6 / speed_of_light, power = vacuum_impedance * k * k / (12 * pi);
  const auto radiation = results()["radiation"][0];
  EXPECT_NEAR(radiation["directivity_dbi"].get<double>(), 1.76, 0.1);
  EXPECT_NEAR(radiation["radiated_w"].get<double>(), power, 0.01 * power);
  EXPECT_NEAR(radiation["accepted_w"].get<double>(), power, 0.01 * power);
}

TEST_F(IeSources, DipolesThatCannotBeAreRefused) {
  write_sphere(metal, "0.3", "[0, 0, 0]");
  expect_refusal("ie-solve sphere.toml", "inside surface \"sphere\", a conductor");
  write_sphere(metal, "0.3", "[0, 0, 0.32]");
  expect_refusal("ie-solve sphere.toml", "from surface \"sphere\"");
  write_sphere(glass, "0.3", "[0, 0, 0.3]");
  expect_refusal("ie-solve sphere.toml --dry-run", "excitation");
}

/// Two strip dipoles with gaps, an eighth of a wavelength apart: power that is neither reflected nor lost in
/// the other port's load is radiated, and gain refers to the accepted power.
TEST_F(IeSources, PortsAreDrivenWhileTheOthersAreMatched) {
  std::string geo;
  for (int s = 0; s < 2; ++s) {
    const auto n = [s](int i) { return std::to_string(10 * s + i); };
    const std::string y = s == 0 ? "0" : "0.125";
    const char* z[] = {"-0.235", "0", "0.235"};
    for (int i = 0; i < 3; ++i) {
      geo += "Point(" + n(2 * i + 1) + ") = {-0.001, " + y + ", " + z[i] + "};\n";
      geo += "Point(" + n(2 * i + 2) + ") = {0.001, " + y + ", " + z[i] + "};\n";
      geo += "Line(" + n(i + 1) + ") = {" + n(2 * i + 1) + ", " + n(2 * i + 2) + "};\n";
    }
    for (int i = 0; i < 2; ++i) {
      geo += "Line(" + n(2 * i + 4) + ") = {" + n(2 * i + 1) + ", " + n(2 * i + 3) + "};\n";
      geo += "Line(" + n(2 * i + 5) + ") = {" + n(2 * i + 2) + ", " + n(2 * i + 4) + "};\n";
      geo += "Curve Loop(" + n(i + 1) + ") = {" + n(i + 1) + ", " + n(2 * i + 5) + ", -" + n(i + 2) + ", -" +
             n(2 * i + 4) + "};\nPlane Surface(" + n(i + 1) + ") = {" + n(i + 1) + "};\n";
      geo += "Physical Surface(\"" + std::string(i == 0 ? "low" : "high") + std::to_string(s) + "\") = {" +
             n(i + 1) + "};\n";
    }
    geo += "Transfinite Curve{" + n(1) + ", " + n(2) + ", " + n(3) + "} = 2;\n";
    geo += "Transfinite Curve{" + n(4) + ", " + n(5) + ", " + n(6) + ", " + n(7) + "} = 16;\n";
    geo += "Transfinite Surface{" + n(1) + ", " + n(2) + "};\n";
  }
  write("two.geo", geo);
  write("two.toml",
        "[mesh]\nfile = 'two.geo'\nunit = 'm'\nwavelength_fraction = 0.25\n[frequency]\nvalues = "
        "[300e6]\n[formulation]\nequation = "
        "'efie'\n"
        "[[boundary]]\nregion = ['low*', 'high?']\ntype = 'pec'\n[[port]]\nregion = ['low0', 'high0']\n"
        "[[port]]\nregion = ['low1', 'high1']\n[output]\nfields = false\nreference_impedance = 73\n"
        "far_field = { theta = [90, 90, 1], phi = [0, 270, 4] }\n");
  expect_run("ie-solve two.toml");

  const auto s = test::read_touchstone(path("out/two.s2p"));
  const double accepted = 1 - std::norm(s.at(0, 0, 0)), radiated = accepted - std::norm(s.at(0, 1, 0));
  const auto first = results()["radiation"][0];
  EXPECT_GT(std::norm(s.at(0, 1, 0)), 0.05);
  EXPECT_NEAR(first["incident_w"].get<double>(), 1, 1e-12);
  EXPECT_NEAR(first["accepted_w"].get<double>(), accepted, 1e-9);
  EXPECT_NEAR(first["radiated_w"].get<double>(), radiated, 2e-3 * radiated);
  const auto table = io::read_csv(path("out/impedance.csv"));
  const std::complex<double> z(table.numbers("re_input_impedance_ohm")[0],
                               table.numbers("im_input_impedance_ohm")[0]);
  EXPECT_LT(std::abs((z - 73.0) / (z + 73.0) - s.at(0, 0, 0)), 1e-9);
  EXPECT_NEAR(results()["input_impedance_1_ohm"][0].get<double>(), z.real(), 1e-9);
}

/// Circuit theory: Z of the dipole and R + jwL + 1/(jwC) in series.
TEST_F(IeSources, ElementsInSeriesAddTheirImpedance) {
  const auto impedance = [&](const std::string& elements) -> std::complex<double> {
    write("strip.toml", "[mesh]\nfile = '" + source +
                            "/meshes/dipole_strip.geo'\nunit = 'm'\nwavelength_fraction = 0.25\nparameters = "
                            "{ length = 0.47, width = "
                            "0.02 }\n[frequency]\nvalues = [300e6]\n[formulation]\nequation = 'efie'\n"
                            "[[boundary]]\nregion = ['lower', 'upper']\ntype = 'pec'\n[[port]]\nregion = "
                            "['lower', 'upper']\n" +
                            elements + "[output]\nfields = false\n");
    expect_run("ie-solve strip.toml");
    const auto table = io::read_csv(path("out/impedance.csv"));
    return {table.numbers("re_input_impedance_ohm")[0], table.numbers("im_input_impedance_ohm")[0]};
  };
  const double omega = 2 * pi * 300e6;
  const auto alone = impedance("");
  const auto loaded =
      impedance("series_resistance = 20\nseries_inductance = '30 nH'\nseries_capacitance = '5 pF'\n");
  const std::complex<double> expected(20, omega * 30e-9 - 1 / (omega * 5e-12));
  EXPECT_LT(std::abs(loaded - alone - expected), 1e-9 * std::abs(loaded));
}

TEST_F(IeSources, TwoPortsInOnePlaceAreRefused) {
  const std::string start = "[mesh]\nfile = '" + source +
                            "/meshes/dipole_strip.geo'\nunit = 'm'\nwavelength_fraction = 0.25\nparameters = "
                            "{ length = 0.47, width = 0.02 }\n"
                            "[frequency]\nvalues = [300e6]\n[formulation]\nequation = 'efie'\n[[boundary]]\n"
                            "region = ['lower', 'upper']\ntype = 'pec'\n[[port]]\nname = 'gap'\n"
                            "region = ['lower', 'upper']\n[[port]]\n";
  const std::pair<const char*, const char*> cases[] = {
      {"name = 'gap'\nregion = ['lower', 'upper']\n", "two ports are named \"gap\""},
      {"region = ['upper', 'lower']\n", "ports \"gap\" and \"port2\" are at the same place"}};
  for (const auto& [second, message] : cases) {
    write("strip.toml", start + second + "[output]\nfields = false\n");
    const Ended ended = run("ie-solve strip.toml --output out");
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(message), std::string::npos) << ended.err;
  }
}

/// A surface by a pattern, and the surface around a volume by the volume's name.
TEST_F(IeSources, RegionsMayBePatternsAndVolumes) {
  const std::string rest =
      "[frequency]\nvalues = [47.7e6]\n[formulation]\nequation = 'cfie'\n[excitation]\ntheta = 180\nphi = 0\n"
      "[output]\nmonostatic = true\nfields = false\n";
  double rcs[2];
  int i = 0;
  for (const std::string region : {"b*y", "body"}) {
    write("ball.geo", std::string("SetFactory('OpenCASCADE');\nSphere(1) = {0, 0, 0, 1};\n") +
                          "Physical Surface('" + (i == 0 ? "body" : "skin") + "') = {1};\n" +
                          "Physical Volume('" + (i == 0 ? "inside" : "body") + "') = {1};\n");
    write("ball.toml", "[mesh]\nfile = 'ball.geo'\nunit = 'm'\nsize = 0.5\n[[boundary]]\nregion = '" +
                           region + "'\ntype = 'pec'\n" + rest);
    expect_run("ie-solve ball.toml");
    rcs[i++] = results()["backscatter_dbsm"].get<double>();
  }
  EXPECT_NEAR(rcs[0], rcs[1], 1e-9);
}

TEST_F(IeSources, GoodConductorsAreSentToTheImpedance) {
  write_sphere("[[material]]\nregion = 'sphere'\nepsilon_r = 1\nconductivity = 1e4\n", "0.3", "[0, 0, 0.8]");
  expect_refusal("ie-solve sphere.toml", "type = \"impedance\"");
}

TEST_F(IeSources, TheTableSaysThatItIsNotAll) {
  const Ended ended =
      run("ie-solve " + source +
          "/configs/pec_sphere.toml --device cpu --output out --set mesh.size=0.2 --set "
          "output.monostatic=true --set 'excitation.theta=[0, 10, 20, 30, 40, 50, 60, 70, 80, 90, "
          "100]' --set 'excitation.polarization=[\"theta\", \"phi\"]'");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("first 20 of 22"), std::string::npos) << ended.out;
  EXPECT_EQ(io::read_csv(path("out/rcs.csv")).num_rows, 22U);
}

}  // namespace
}  // namespace curlew::test
