// SPDX-License-Identifier: BSD-3-Clause
// Coaxial and lumped ports, materials and lossy modes as a user meets them, and what is refused.

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "io/touchstone.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

const std::string source = CURLEW_SOURCE_DIR;

class Ports : public ProgramTest {
 protected:
  nlohmann::json results() const {
    return nlohmann::json::parse(io::read_text_file(path("out/summary.json")))["results"];
  }
};

TEST_F(Ports, CoaxialExampleHasItsImpedance) {
  const Ended ended =
      run("fem-solve " + source +
          "/configs/coax.toml --output out --set output.fields=false --set frequency.values=[1e10]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto ports = io::read_csv(path("out/ports.csv"));
  const double exact = vacuum_impedance / (2 * pi * std::sqrt(2.07)) * std::log(2.05 / 0.635);
  EXPECT_NEAR(ports.numbers("z0_re_ohm")[0] / exact, 1, 1e-3);
  EXPECT_EQ(ports.text.at("mode")[0], "TEM");
  EXPECT_EQ(ports.text.at("z0_definition")[0], "power_current");
  const auto s = io::read_touchstone(path("out/coax.s2p"));
  EXPECT_EQ(s.reference_impedance, 50);
  // a line of 48.84 ohm, 10 mm long, between 50 ohm
  const double phase = 2 * pi * 1e10 * std::sqrt(2.07) / speed_of_light * 10e-3, z = exact / 50;
  const Complex j(0, 1), d = 2.0 * std::cos(phase) + j * (z + 1 / z) * std::sin(phase);
  EXPECT_LT(std::abs(s.at(0, 0, 0) - j * (z - 1 / z) * std::sin(phase) / d), 2e-3);
  EXPECT_LT(std::abs(s.at(0, 1, 0) - 2.0 / d), 2e-3);
}

/// NEC-2 (Debian nec2c 1.3.1), wire of radius width/4: resonance 294.56 MHz, 73.2 ohm there, from
///   GW 1 47 0 0 -0.235 0 0 0.235 0.005 / GE 0 / EK 0 / EX 0 1 24 0 1 0 / FR 0 7 0 0 270 10 / XQ 0 / EN
/// which gives 68.918 - 8.772j at 290 MHz and 78.209 + 10.465j at 300 MHz.
TEST_F(Ports, LumpedDipoleAgreesWithNec) {
  const Ended ended = run("fem-solve " + source +
                          "/configs/lumped_dipole.toml --output out --set output.fields=false "
                          "--set frequency.start=290e6 --set frequency.stop=300e6 --set frequency.points=2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = io::read_touchstone(path("out/lumped_dipole.s1p"));
  const auto impedance = [&](std::size_t i) {
    return 0.5 * 146.0 * (1.0 + s.at(i, 0, 0)) / (1.0 - s.at(i, 0, 0));
  };
  const Complex low = impedance(0), high = impedance(1);
  const double t = -low.imag() / (high.imag() - low.imag());
  EXPECT_NEAR((290 + 10 * t) / 294.56, 1, 0.03);
  EXPECT_NEAR((low.real() + t * (high.real() - low.real())) / 73.2, 1, 0.03);
}

TEST_F(Ports, LossyModesSayWhereTheirEnergyIs) {
  const Ended ended = run("fem-solve " + source +
                          "/configs/cylindrical_cavity.toml --output out --set output.fields=false "
                          "--set analysis.modes=1 --set mesh.size=11");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto mode = results()["modes"][0];
  EXPECT_NEAR(mode["frequency_hz"].get<double>() / 2.903605e9, 1, 2e-3);
  EXPECT_NEAR(mode["participation"]["dielectric"].get<double>(), 1, 1e-12);
}

struct Bad {
  const char* what;
  const char* text;  ///< appended to the config below
  const char* message;
};

class PortsRefuse : public Ports, public testing::WithParamInterface<Bad> {};

TEST_P(PortsRefuse, WithOneClearLine) {
  write("table.csv", "frequency_hz,epsilon_re,epsilon_im\n1e9,2,0\n2e9,2,0\n");
  write("bad.toml", "[mesh]\nfile = \"" + source + "/meshes/wr90.geo\"\nunit = \"mm\"\nsize = 6\n" +
                        "[frequency]\nvalues = [10e9]\n[[boundary]]\nregion = \"walls\"\n" + GetParam().text);
  const Ended ended = run("fem-solve bad.toml --output out");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find(GetParam().message), std::string::npos) << ended.err;
  EXPECT_FALSE(exists("out/bad.s2p"));
}

constexpr Bad bad_inputs[] = {
    {"PortOnTwoRegions",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\n[[port]]\nregion = [\"port1\", \"port2\"]\n",
     "a port is one surface"},
    {"BelowCutOff",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\nepsilon_r = 0.3\n[[port]]\nregion = \"port1\"\n"
     "[[port]]\nregion = \"port2\"\n",
     "below the cut-off"},
    {"TableWithoutTheFrequency",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\ntable = \"table.csv\"\n[[port]]\nregion = \"port1\"\n"
     "[[port]]\nregion = \"port2\"\n",
     "it covers 1e+09 to 2e+09 Hz"},
    {"NegativeConductivity",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\nconductivity = -1.0\n[[port]]\nregion = \"port1\"\n"
     "[[port]]\nregion = \"port2\"\n",
     "conductivity must be 0 or positive"},
    {"NegativeWallConductivity",
     "type = \"impedance\"\nconductivity = -5e7\n[[material]]\nregion = \"air\"\n[[port]]\nregion = "
     "\"port1\"\n"
     "[[port]]\nregion = \"port2\"\n",
     "conductivity"},
    {"WallWithGain",
     "type = \"impedance\"\nsurface_impedance = [-1.0, 2.0]\n[[material]]\nregion = \"air\"\n[[port]]\n"
     "region = \"port1\"\n[[port]]\nregion = \"port2\"\n",
     "negative real part"},
    {"LumpedDirectionOutOfPlane",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\n[[port]]\nregion = \"port1\"\ntype = \"lumped\"\n"
     "direction = \"z\"\n[[port]]\nregion = \"port2\"\n",
     "direction must lie in the plane"},
    {"LumpedWithoutDirection",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\n[[port]]\nregion = \"port1\"\ntype = \"lumped\"\n"
     "[[port]]\nregion = \"port2\"\n",
     "direction"},
    {"UnknownPole",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\nmodel = { type = \"drud\" }\n[[port]]\nregion = "
     "\"port1\"\n[[port]]\nregion = \"port2\"\n",
     "drude"},
};

INSTANTIATE_TEST_SUITE_P(Bad, PortsRefuse, testing::ValuesIn(bad_inputs),
                         [](const auto& test) { return test.param.what; });

}  // namespace
}  // namespace curlew::test
