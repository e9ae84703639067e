// SPDX-License-Identifier: BSD-3-Clause
// Coaxial and lumped ports, materials and lossy modes as a user meets them, and refused inputs.

#include <cmath>
#include <filesystem>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

class Ports : public SummaryTest {
 protected:
};

TEST_F(Ports, CoaxialExampleHasItsImpedance) {
  const Ended ended =
      run("fem-solve " + source +
          "/configs/coax.toml --output out --set output.fields=false --set frequency.values=[1e10]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto ports = io::read_csv(path("out/ports.csv"));
  const double exact = vacuum_impedance / (2 * pi * std::sqrt(2.07)) * std::log(2.05 / 0.635);
  EXPECT_NEAR(ports.numbers("re_z0_ohm")[0] / exact, 1, 1e-3);
  EXPECT_EQ(ports.text.at("mode")[0], "TEM");
  EXPECT_EQ(ports.text.at("z0_definition")[0], "power_current");
  const auto s = test::read_touchstone(path("out/coax.s2p"));
  EXPECT_EQ(s.reference_impedance, 50);
  // a line of 48.84 ohm, 10 mm long, between 50 ohm
  const double phase = 2 * pi * 1e10 * std::sqrt(2.07) / speed_of_light * 10e-3, z = exact / 50;
  const Complex j(0, 1), d = 2.0 * std::cos(phase) + j * (z + 1 / z) * std::sin(phase);
  EXPECT_LT(std::abs(s.at(0, 0, 0) - j * (z - 1 / z) * std::sin(phase) / d), 2e-3);
  EXPECT_LT(std::abs(s.at(0, 1, 0) - 2.0 / d), 2e-3);
}

/// Against its own impedance the line is matched: its length over the velocity.
TEST_F(Ports, TableOfPortsHasTheGroupDelayOfALine) {
  const Ended ended = run("fem-solve " + source +
                          "/configs/coax.toml --output out --set output.fields=false --set mesh.size=1.2 "
                          "--set accuracy.estimate=off --set output.reference_impedance=48.835 "
                          "--set frequency.values=[8e9,9e9,1.1e10]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto ports = io::read_csv(path("out/ports.csv"));
  ASSERT_EQ(ports.num_rows, 6U);
  const double exact = 10e-3 * std::sqrt(2.07) / speed_of_light;
  for (const std::size_t row : {1, 3, 5})
    EXPECT_NEAR(std::stod(ports.text.at("group_delay_s")[row]) / exact, 1, 3e-3);
}

TEST_F(Ports, HaveTheirNamesInTablesAndFiles) {
  const Ended ended =
      run("fem-solve " + source +
          "/configs/wr90.toml --output out --set frequency.values=[10e9] --set space.order=1 --set "
          "mesh.wavelength_fraction=0.5 --set port.0.name=feed --set port.1.excite=true --set "
          "accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_EQ(io::read_csv(path("out/ports.csv")).text.at("port"), (std::vector<std::string>{"feed", "port2"}));
  const std::string file = io::read_text_file(path("out/wr90.s2p"));
  EXPECT_NE(file.find("! Port[1] = feed TE10"), std::string::npos) << file;
  EXPECT_NE(file.find("! Port[2] = port2 TE10"), std::string::npos) << file;
}

/// A straight guide reflects nothing, however its end is cut; S at an oblique face shows a reflection.
/// Flares and a ramp on one side end at a square cut.
TEST_F(Ports, ObliqueFacesAreNamedWithTheirAngle) {
  write("cut.geo", R"(SetFactory("OpenCASCADE");
DefineConstant[ low = 0, high = 0, cut = 0 ];  // lean of the two side walls, of the cut: tangents
a = 22.86; b = 10.16; l = 30; e = 1e-3;
Point(1) = {0, 0, 0};
Point(2) = {a, 0, cut * a};
Point(3) = {a + high * (l - cut * a), 0, l};
Point(4) = {-low * l, 0, l};
For i In {1:4}
  Line(i) = {i, (i % 4) + 1};
EndFor
Curve Loop(1) = {1:4};
Plane Surface(1) = {1};
Extrude{0, b, 0} { Surface{1}; }
w = 2 * a;
end() = Surface In BoundingBox{-w, -e, l - e, 2 * w, b + e, l + e};
port() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, cut * a + e};
walls() = Surface{:};
walls() -= {end(), port()};
Physical Volume("air") = {1};
Physical Surface("port") = {port()};
Physical Surface("end") = {end()};
Physical Surface("walls") = {walls()};
)");
  write("cut.toml", R"([mesh]
file = "cut.geo"
unit = "mm"
size = 8
[frequency]
values = [10e9]
[[material]]
region = "air"
[[boundary]]
region = "walls"
type = "pec"
[[port]]
region = "port"
[[port]]
region = "end"
)");
  const auto says = [&](const std::string& parameters) {
    const Ended ended = run("fem-solve cut.toml --dry-run --output out " + parameters);
    EXPECT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.err.find("straight cells"), std::string::npos) << ended.err;
    const auto place = ended.err.find(" degrees off the normal");
    return place == std::string::npos ? "" : ended.err.substr(place - 3, 3);
  };
  const std::string low = "--set mesh.parameters.low=", high = "--set mesh.parameters.high=",
                    cut = "--set mesh.parameters.cut=";
  EXPECT_EQ(says(""), "");
  EXPECT_EQ(says(cut + "0.0874887"), "s 5");  // "is 5 degrees off"
  EXPECT_EQ(says(cut + "0.3639702"), " 20");
  EXPECT_EQ(says(cut + "1"), " 45");
  EXPECT_EQ(says(low + "0.3 " + high + "0.3"), "");
  EXPECT_EQ(says(high + "0.3"), "");
}

/// TE11 begins near 25 GHz, in two polarisations: S of the TEM mode alone lacks their power.
TEST_F(Ports, WarnOfModesThatTravelUnseen) {
  const std::string coax = "fem-solve " + source +
                           "/configs/coax.toml --dry-run --output out --set frequency.values=[2e10,3e10] "
                           "--set mesh.size=1.2 --set space.order=1 ";
  const Ended seen = run(coax);
  ASSERT_EQ(seen.status, 0) << seen.err;
  EXPECT_NE(seen.err.find("port \"port1\": from 30 GHz on 3 modes travel, but S contains one"),
            std::string::npos)
      << seen.err;
  EXPECT_NE(seen.err.find("modes = 3"), std::string::npos) << seen.err;

  const Ended reported = run(coax + "--set port.0.modes=3 --set port.1.modes=3");
  ASSERT_EQ(reported.status, 0) << reported.err;
  EXPECT_EQ(reported.err.find("modes travel"), std::string::npos) << reported.err;
}

/// Z = jωμ/γ of TE10 in a lossy medium: what continues matched is |Im Z|/|Z| of a power wave.
TEST_F(Ports, SayWhatALossyGuideReflectsOfPowerWaves) {
  const std::string guide = "fem-solve " + source +
                            "/configs/wr90.toml --dry-run --output out --set frequency.values=[1e10] "
                            "--set space.order=1 ";
  const Ended lossy = run(guide + "--set material.0.epsilon_r=[2,-0.5]");
  ASSERT_EQ(lossy.status, 0) << lossy.err;
  const double k = 2 * pi * 1e10 / speed_of_light, kc = pi / 22.86e-3;
  const Complex z = Complex(0, 1) / std::sqrt(kc * kc - k * k * Complex(2, -0.5));
  const auto place = lossy.err.find("|S11| = ");
  ASSERT_NE(place, std::string::npos) << lossy.err;
  EXPECT_NEAR(std::stod(lossy.err.substr(place + 8)), 20 * std::log10(std::abs(z.imag()) / std::abs(z)),
              0.06);
  for (const char* asked : {"--set material.0.epsilon_r=2",
                            "--set material.0.epsilon_r=[2,-0.5] --set port.0.reference_impedance=300 "
                            "--set port.1.reference_impedance=300"})
    EXPECT_EQ(run(guide + asked).err.find("power waves"), std::string::npos) << asked;
}

TEST_F(Ports, ModesOfThePortsAloneAreThoseOfTheWholeRun) {
  const std::string guide =
      "fem-solve " + source +
      "/configs/wr90.toml --set frequency.values=[9e9,1e10] --set space.order=1 --set port.0.modes=3";
  ASSERT_EQ(run(guide + " -o whole --set output.fields=false").status, 0);

  const Ended ended = run(guide + " -o ports --set analysis.type=ports");

  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.out.find("modes of the ports"), std::string::npos) << ended.out;
  EXPECT_FALSE(std::filesystem::exists(path("ports/wr90.s4p")));
  EXPECT_FALSE(std::filesystem::exists(path("ports/fields.vtkhdf")));
  const auto whole = io::read_csv(path("whole/ports.csv")), alone = io::read_csv(path("ports/ports.csv"));
  ASSERT_EQ(alone.num_rows, 8u);
  for (const auto& [column, cells] : whole.text) {
    if (column == "group_delay_s")  // S is not known
      EXPECT_EQ(alone.text.at(column), std::vector<std::string>(8));
    else
      EXPECT_EQ(alone.text.at(column), cells) << column;
  }
  const double k = 2 * pi * 9e9 / speed_of_light, kc = pi / 22.86e-3;
  EXPECT_NEAR(alone.numbers("beta_per_m")[0], std::sqrt(k * k - kc * kc), 1e-6);
  EXPECT_NE(run(guide + " -o none --set analysis.type=ports --set material.0.speed_of_sound=343").status, 0);
}

/// Capacitance per length of a strip without thickness in a metal box, by Galerkin's method for its charge on
/// Chebyshev polynomials with the edge singularity; the Green function is a Fourier series in the box. Six
/// figures with four functions. Source: Itoh (1989), Numerical Techniques for Microwave and Millimeter-Wave
/// Passive Structures, section 5.2 (spectral domain, quasi-static).
double strip_capacitance(double width, double height, double above, double box, double epsilon_r) {
  constexpr int n = 4;
  double k[n][n + 1] = {};
  for (int m = 0; m < n; ++m) k[m][n] = m == 0 ? pi * width / 2 : 0;  // potential 1 on the strip
  for (int odd = 1; odd < 20000; odd += 2) {
    const double q = odd * pi / box;
    const double green =
        2 / (box * q * vacuum_permittivity * (epsilon_r / std::tanh(q * height) + 1 / std::tanh(q * above)));
    double charge[n];
    for (int m = 0; m < n; ++m)
      charge[m] = pi * width / 2 * (m % 2 == 0 ? 1 : -1) * std::cyl_bessel_j(2.0 * m, q * width / 2);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) k[i][j] += green * charge[i] * charge[j];
  }
  for (int p = 0; p < n; ++p)  // Gauss and Jordan
    for (int i = 0; i < n; ++i) {
      const double factor = i == p ? 0 : k[i][p] / k[p][p];
      for (int j = p; j <= n; ++j) k[i][j] -= factor * k[p][j];
    }
  return pi * width / 2 * k[0][n] / k[0][0];
}

TEST_F(Ports, MicrostripHasItsStaticPermittivityAndImpedance) {
  const Ended ended =
      run("fem-solve " + source + "/configs/microstrip.toml --output out --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double filled = strip_capacitance(0.6e-3, 0.635e-3, 3.365e-3, 6e-3, 9.8),
               empty = strip_capacitance(0.6e-3, 0.635e-3, 3.365e-3, 6e-3, 1);
  const auto ports = io::read_csv(path("out/ports.csv"));
  EXPECT_EQ(ports.text.at("cutoff_hz")[0], "");  // hybrid: there is no one cut-off
  const auto beta = ports.numbers("beta_per_m"), z = ports.numbers("re_z0_ohm");
  const double k0 = 2 * pi * 2e8 / speed_of_light,
               impedance = 1 / (speed_of_light * std::sqrt(filled * empty));
  EXPECT_NEAR(std::pow(beta[0] / k0, 2) / (filled / empty), 1, 2e-3);
  EXPECT_EQ(ports.text.at("z0_definition")[0], "power_voltage");
  EXPECT_NEAR(z[0] / impedance, 1, 3e-3);
  EXPECT_EQ(ports.text.at("z0_definition")[1], "power_current");
  EXPECT_NEAR(z[1] / impedance, 1, 5e-3);
}

/// Layers at the two rims of the strip, on cells 0.4 times as long as it is wide: Z0 is that of the static
/// limit as on the fine mesh above. On thin cells frequencies below 1 GHz are refused.
TEST_F(Ports, MicrostripOnACoarseMeshWithLayersAtItsRims) {
  const double filled = strip_capacitance(0.6e-3, 0.635e-3, 3.365e-3, 6e-3, 9.8),
               empty = strip_capacitance(0.6e-3, 0.635e-3, 3.365e-3, 6e-3, 1),
               impedance = 1 / (speed_of_light * std::sqrt(filled * empty));
  const auto error = [&](int layers) {
    const Ended ended =
        run("fem-solve " + source +
            "/configs/microstrip.toml --output out --set mesh.parameters.size_edge=0.25 "
            "--set mesh.parameters.size_far=1.5 --set mesh.parameters.growth=1 --set accuracy.estimate=off "
            "--set frequency.values=[1.5e9] --set refinement.tolerance=0.9 --set refinement.max_passes=2 "
            "--set refinement.edge_layers=" +
            std::to_string(layers));
    EXPECT_EQ(ended.status, 0) << ended.err;
    return io::read_csv(path("out/ports.csv")).numbers("re_z0_ohm").at(0) / impedance - 1;
  };
  const double without = error(0), one = error(1), two = error(2);
  EXPECT_LT(std::abs(one), 3e-3);
  EXPECT_LT(std::abs(two), 3e-3);
  EXPECT_GT(std::abs(without), 3 * std::max(std::abs(one), std::abs(two)));
}

/// Passes from the geometry alone: a strip between two ports of its own, whose S11 is 0. The cells of layers
/// count one by one where the next mesh is cut; else it has a quarter more unknowns.
TEST_F(Ports, PassesOnAStripWithLayersTakeFewUnknowns) {
  const Ended ended =
      run("fem-solve " + source +
          "/configs/microstrip.toml --output out --set space.order=3 --set mesh.parameters.size_edge=1000 "
          "--set mesh.parameters.size_far=1000 --set mesh.parameters.growth=1 --set mesh.parameters.length=4 "
          "--set accuracy.estimate=off --set frequency.values=[1e10] --set refinement.edge_layers=3 "
          "--set refinement.tolerance=1e-3 --set refinement.max_passes=2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto passes = io::read_csv(path("out/passes.csv"));
  const auto& names = passes.text.at("quantity");
  const std::size_t last =
      std::size_t(std::find(names.rbegin(), names.rend(), names.front()) - names.rbegin());
  const std::size_t row = names.size() - 1 - last;
  ASSERT_EQ(names[row].substr(0, 3), "S11");
  const auto at = [&](const char* column) { return passes.numbers(column).at(row); };
  const double s11 = std::hypot(at("re_value"), at("im_value"));
  EXPECT_LT(at("unknowns"), 63000);
  EXPECT_LT(s11, at("estimated_error"));
  EXPECT_LT(s11, 2.5e-3);
  EXPECT_LT(at("estimated_error"), 5e-3);
}

TEST_F(Ports, ImpedanceOfALineIsRefusedWhereThereIsNone) {
  for (const std::string definition : {"power_voltage", "power_current"}) {
    const Ended bad =
        run("fem-solve " + source + "/configs/wr90.toml --dry-run --set port.0.impedance=" + definition);
    EXPECT_EQ(bad.status, 2) << bad.err;
    EXPECT_NE(bad.err.find("lacks two conductors"), std::string::npos) << bad.err;
  }
}

/// Across the middle of TE10, V = E0 b and P = E0^2 ab / 4 Zte: V^2/2P = 2 (b/a) Zte.
TEST_F(Ports, VoltageLineOfTheUsersChoice) {
  const std::string guide = "fem-solve " + source +
                            "/configs/wr90.toml --output out --set output.fields=false --set "
                            "frequency.values=[1e10] --set 'port.0.voltage_line=[[11.43,0,0],[11.43,";
  const Ended ended = run(guide + "10.16,0]]'");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto ports = io::read_csv(path("out/ports.csv"));
  EXPECT_EQ(ports.text.at("z0_definition")[0], "power_voltage");
  EXPECT_NEAR(ports.numbers("re_z0_ohm")[0] / (2 * 10.16 / 22.86 * ports.numbers("re_wave_impedance_ohm")[0]),
              1, 1e-3);
  const std::pair<std::string, std::string> refused[] = {
      {"10.16,1]]'", "leaves the face"},
      {"0,0]]'", "two different points"},
      {"10.16,0]]' --set port.0.impedance=wave", "power_voltage"}};
  for (const auto& [options, says] : refused) {
    const Ended bad = run(guide + options);
    EXPECT_EQ(bad.status, 2) << bad.err;
    EXPECT_NE(bad.err.find(says), std::string::npos) << bad.err;
  }
}

/// NEC-2 (Debian nec2c 1.3.1), wire of radius width/4: resonance 294.56 MHz, 73.2 ohm there, from
///   GW 1 47 0 0 -0.235 0 0 0.235 0.005 / GE 0 / EK 0 / EX 0 1 24 0 1 0 / FR 0 7 0 0 270 10 / XQ 0 / EN
/// which gives 68.918 - 8.772j at 290 MHz and 78.209 + 10.465j at 300 MHz.
TEST_F(Ports, LumpedDipoleAgreesWithNec) {
  const Ended ended =
      run("fem-solve " + source +
          "/configs/lumped_dipole.toml --output out --set output.fields=false --set accuracy.estimate=off "
          "--set frequency.start=290e6 --set frequency.stop=300e6 --set frequency.points=2");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/lumped_dipole.s1p"));
  const auto impedance = [&](std::size_t i) {
    return s.reference_impedance * (1.0 + s.at(i, 0, 0)) / (1.0 - s.at(i, 0, 0));
  };
  const Complex low = impedance(0), high = impedance(1);
  const double t = -low.imag() / (high.imag() - low.imag());
  EXPECT_NEAR((290 + 10 * t) / 294.56, 1, 0.03);
  EXPECT_NEAR((low.real() + t * (high.real() - low.real())) / 73.2, 1, 0.03);
}

/// The files as scikit-rf reads them: order and number of ports, reference, unit of frequency, passivity.
TEST_F(Ports, NetworksAreWhatScikitRfReads) {
  write("guide.geo", R"(SetFactory("OpenCASCADE");
a = 22.86; b = 10.16; e = 1e-3;
Box(1) = {0, 0, 0, a, b, 4};
Box(2) = {0, 0, 4, a, b, 6};
Box(3) = {0, 0, 10, a, b, 11};
Coherence;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, 21 - e, a + e, b + e, 21 + e};
walls() = CombinedBoundary{ Volume{:}; };
walls() -= {port1(), port2()};
Physical Volume("air") = {1, 3};
Physical Volume("slab") = {2};
Physical Surface("walls") = {walls()};
Physical Surface("port1") = {port1()};
Physical Surface("port2") = {port2()};
)");
  write("guide.toml", R"([mesh]
file = "guide.geo"
unit = "mm"
size = 4
[space]
order = 3
[frequency]
values = [14.2e9, 13.6e9]
[[material]]
region = "air"
[[material]]
region = "slab"
epsilon_r = [2.5, -0.2]
[[boundary]]
region = "walls"
type = "pec"
[[port]]
region = "port1"
modes = 2
[[port]]
region = "port2"
modes = 2
[output]
fields = false
[accuracy]
estimate = "off"
)");
  const std::string check = test::python() + " " + source + "/tests/cli/check_networks.py ";
  Ended ended = run("fem-solve guide.toml --output modal");
  ASSERT_EQ(ended.status, 0) << ended.err;
  ended =
      run("fem-solve guide.toml --output fifty --set port.0.reference_impedance=50 --set "
          "port.1.reference_impedance=50");
  ASSERT_EQ(ended.status, 0) << ended.err;
  Ended read = run(check + "guide modal/guide.s4p fifty/guide.s4p modal/ports.csv");
  if (read.status == 77) GTEST_SKIP() << read.out;
  EXPECT_EQ(read.status, 0) << read.out << read.err;

  ended = run("fem-solve " + source +
              "/configs/lumped_dipole.toml --output dipole --set output.fields=false --set space.order=1 "
              "--set accuracy.estimate=off --set frequency.points=2 --set port.0.resistance=120");
  ASSERT_EQ(ended.status, 0) << ended.err;
  read = run(check + "lumped dipole/lumped_dipole.s1p dipole/summary.json");
  EXPECT_EQ(read.status, 0) << read.out << read.err;
}

TEST_F(Ports, CavitiesWithoutAModeNearTheTargetSaySo) {
  for (const char* option :
       {"analysis.target=1e30", "material.0.epsilon_r=1e9", "material.0.loss_tangent=1e9"}) {
    const Ended ended = run("fem-solve " + source +
                            "/configs/rectangular_cavity.toml --output out --set mesh.size=0.4 "
                            "--set space.order=1 --set " +
                            option);
    EXPECT_EQ(ended.status, 1) << option << ended.err;
    EXPECT_NE(ended.err.find("mode"), std::string::npos) << ended.err;
  }
}

/// A line shorted at one end, 2 nH beside 0.3 pF and 5 kilohm at the other: jωC + 1/R + 1/jωL = j/Z cot βl
/// has its root at 6.37975 GHz, Q 114.5. Modes of the sheet lie below; the run warns of them, and the cure
/// that it names finds the root.
TEST_F(Ports, LumpedInductancesOfCavitiesAreToldOf) {
  write("line.geo", R"(SetFactory("OpenCASCADE");
w = 10; h = 2; l = 12; e = 0.001;
Box(1) = {0, 0, 0, w, h, l};
Physical Volume("air") = {1};
load() = Surface In BoundingBox{-1, -1, -e, w+1, h+1, e};
sides() = Surface In BoundingBox{-e, -1, -1, e, h+1, l+1};
sides() += Surface In BoundingBox{w-e, -1, -1, w+e, h+1, l+1};
metal() = Surface{:};
metal() -= {load(), sides()};
Physical Surface("load") = load();
Physical Surface("sides") = sides();
Physical Surface("metal") = metal();
)");
  write(
      "line.toml",
      "[mesh]\nfile = 'line.geo'\nunit = 'mm'\nsize = 4\n[space]\norder = 2\n[analysis]\ntype = 'eigen'\n"
      "modes = 1\ntarget = '6.375 GHz'\n[[material]]\nregion = 'air'\n[[boundary]]\nregion = 'sides'\ntype = "
      "'pmc'\n[[boundary]]\nregion = 'metal'\ntype = 'pec'\n[[boundary]]\nregion = 'load'\ntype = 'lumped'\n"
      "inductance = 2e-9\ncapacitance = 0.3e-12\nresistance = 5000\nconnection = 'parallel'\ndirection = "
      "'y'\n"
      "[accuracy]\nestimate = 'off'\n[output]\nfields = false\n");
  const Ended ended = run("fem-solve line.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("set analysis.target just below the mode you expect"), std::string::npos)
      << ended.err;
  const auto mode = results()["modes"][0];
  EXPECT_NEAR(mode["frequency_hz"].get<double>(), 6.37975e9, 1e6);
  EXPECT_NEAR(mode["q"].get<double>(), 114.5, 0.5);
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
     "a port has one surface"},
    {"BelowCutOff",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\nepsilon_r = 0.3\n[[port]]\nregion = \"port1\"\n"
     "[[port]]\nregion = \"port2\"\n",
     "below the cut-off"},
    {"TableWithoutTheFrequency",
     "type = \"pec\"\n[[material]]\nregion = \"air\"\ntable = \"table.csv\"\n[[port]]\nregion = \"port1\"\n"
     "[[port]]\nregion = \"port2\"\n",
     "it covers 1 GHz to 2 GHz"},
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
     "type = \"pec\"\n[[material]]\nregion = \"air\"\nmodel = { damping = 1 }\n[[port]]\nregion = "
     "\"port1\"\n[[port]]\nregion = \"port2\"\n",
     "plasma_frequency"},
};

INSTANTIATE_TEST_SUITE_P(Bad, PortsRefuse, testing::ValuesIn(bad_inputs),
                         [](const auto& test) { return test.param.what; });

}  // namespace
}  // namespace curlew::test
