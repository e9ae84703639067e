// SPDX-License-Identifier: BSD-3-Clause
// Ports against closed forms: parts of structures, references, lumped rings, modes that cross, refused
// inputs.

#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_program.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

/// A coaxial line of teflon, 10 mm long, or a part of it that magnetic planes cut out.
class CoaxialLine : public ProgramTest {
 protected:
  static constexpr double inner = 0.635e-3, outer = 2.05e-3, epsilon = 2.07, length = 10e-3;
  static double impedance() {
    return vacuum_impedance / (2 * pi * std::sqrt(epsilon)) * std::log(outer / inner);
  }
  /// S11 and S21 of the line between real references. Source: Pozar (2012), table 4.2.
  static std::pair<Complex, Complex> exact(double frequency, double r1, double r2) {
    const double phase = 2 * pi * frequency * std::sqrt(epsilon) / speed_of_light * length, z = impedance();
    const Complex j(0, 1), a = std::cos(phase), b = j * z * std::sin(phase), c = j * std::sin(phase) / z;
    const Complex d = a * r2 + b + c * r1 * r2 + a * r1;
    return {(a * r2 + b - c * r1 * r2 - a * r1) / d, 2.0 * std::sqrt(r1 * r2) / d};
  }
  void SetUp() override {
    ProgramTest::SetUp();
    write("coax.geo", R"(SetFactory("OpenCASCADE");
DefineConstant[ angle = 360 ];
a = 0.635; b = 2.05; l = 10; e = 1e-3;
Cylinder(1) = {0, 0, 0, 0, 0, l, b, angle * Pi / 180};
Cylinder(2) = {0, 0, 0, 0, 0, l, a, angle * Pi / 180};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }
port1() = Surface In BoundingBox{-b - e, -b - e, -e, b + e, b + e, e};
port2() = Surface In BoundingBox{-b - e, -b - e, l - e, b + e, b + e, l + e};
pin() = Surface In BoundingBox{-a - e, -a - e, -e, a + e, a + e, l + e};
planes() = {};
If (angle < 360)
  planes() = Surface In BoundingBox{-b - e, -e, -e, b + e, e, l + e};
EndIf
If (angle == 90)
  planes() += Surface In BoundingBox{-e, -e, -e, e, b + e, l + e};
EndIf
shield() = Surface{:};
shield() -= {port1(), port2(), pin(), planes()};
Physical Volume("teflon") = Volume{:};
Physical Surface("metal") = {pin(), shield()};
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();
If (angle < 360)
  Physical Surface("planes") = planes();
EndIf
)");
  }
  /// @param ports the two [[port]] tables @param metal the [[boundary]] of pin and shield
  void config(const std::string& name, int angle, const std::string& ports, const std::string& output,
              const std::string& metal = "type = \"pec\"") {
    write(name,
          "[mesh]\nfile = \"coax.geo\"\nunit = \"mm\"\norder = 2\nsize = " +
              std::string(angle < 180 ? "0.7" : "1.2") + "\nparameters = { angle = " + std::to_string(angle) +
              " }\n[space]\norder = 2\n[frequency]\nvalues = [5e9]\n[[material]]\nregion = \"teflon\"\n"
              "epsilon_r = 2.07\n[[boundary]]\nregion = \"metal\"\n" +
              metal + "\n" + (angle < 360 ? "[[boundary]]\nregion = \"planes\"\ntype = \"pmc\"\n" : "") +
              ports + "[output]\nfields = false\n" + output);
  }
  const std::string waveguides = "[[port]]\nregion = \"port1\"\n[[port]]\nregion = \"port2\"\n";
};

/// Version 2 states both references; where it cannot, a comment does.
TEST_F(CoaxialLine, IsWrittenAsTouchstone2) {
  config("line.toml", 90,
         "[[port]]\nregion = \"port1\"\nreference_impedance = 50\n[[port]]\nregion = \"port2\"\n"
         "reference_impedance = 75\n",
         "formats = ['touchstone2']\n");
  Ended ended = run("fem-solve line.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/line.s2p"));
  EXPECT_EQ(s.references, (std::vector<double>{50, 75}));
  EXPECT_NE(io::read_text_file(path("out/line.s2p")).find("! every port has its own [Reference]"),
            std::string::npos);
  const auto [s11, s21] = exact(5e9, 50, 75);
  EXPECT_LT(std::abs(s.at(0, 0, 0) - s11), 5e-3);
  EXPECT_LT(std::abs(s.at(0, 1, 0) - s21), 5e-3);

  config("line.toml", 90, waveguides, "formats = ['touchstone2']\n");
  ended = run("fem-solve line.toml --output own");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NE(ended.err.find("version 1 is written"), std::string::npos) << ended.err;
  EXPECT_TRUE(test::read_touchstone(path("own/line.s2p")).references.empty());
  EXPECT_EQ(run("fem-solve line.toml --set output.touchstone=3 --dry-run --output third").status, 2);
}

TEST_F(CoaxialLine, PartsOfItHaveTheImpedanceOfTheWhole) {
  for (const int angle : {360, 180, 90}) {
    config("part.toml", angle, waveguides, "reference_impedance = 50\n");
    const Ended ended = run("fem-solve part.toml --output out --set accuracy.estimate=" +
                            std::string(angle == 90 ? "auto" : "off"));
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_NEAR(io::read_csv(path("out/ports.csv")).numbers("re_z0_ohm")[0] / impedance(), 1, 2e-3) << angle;
    const auto s = test::read_touchstone(path("out/part.s2p"));
    const auto [s11, s21] = exact(5e9, 50, 50);
    // The mesh reflects 4e-3; the impedance of the part in place of the whole's would give 0.6.
    EXPECT_LT(std::abs(s.at(0, 0, 0) - s11), 5e-3) << angle;
    EXPECT_LT(std::abs(s.at(0, 1, 0) - s21), 5e-3) << angle;
  }
}

/// One watt comes to the whole line: P = V²/2Z, E = V/(r ln(b/a)) (Pozar (2012), section 2.2), also where no
/// [[symmetry]] states the magnetic planes. All ports at once scale alike: sqrt W 2 and 1 in phase at the
/// middle add up to three.
TEST_F(CoaxialLine, PartsOfItHaveTheFieldsOfOneWattAtTheWhole) {
  const double r = 1.5e-3, e = std::sqrt(2 * impedance()) / (r * std::log(2.05 / 0.635));
  const std::string
      ports =
          "[[port]]\nregion = \"port1\"\nexcite = true\namplitude = 2\n[[port]]\nregion = \"port2\"\n"
          "amplitude = 1\n",
      point = "[[output.near_field]]\nname = \"p\"\npositions = [[1.06066, 1.06066, 5]]\n",
      planes = "[[symmetry]]\naxis = \"y\"\ntype = \"pmc\"\n";
  for (const auto& [angle, stated] : {std::pair(360, ""), {180, ""}, {90, ""}, {90, planes.c_str()}}) {
    config("part.toml", angle, ports, point + stated);
    const Ended ended = run("fem-solve part.toml --output out --set accuracy.estimate=off");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto table = io::read_csv(path("out/near_p.csv"));
    const double times[] = {1, 3};
    ASSERT_EQ(table.numbers("re_ex").size(), 2U);
    for (std::size_t row = 0; row < 2; ++row) {
      double sum = 0;
      for (const char* part : {"re_ex", "im_ex", "re_ey", "im_ey", "re_ez", "im_ez"})
        sum += std::pow(table.numbers(part)[row], 2);
      EXPECT_NEAR(std::sqrt(sum) / (times[row] * e), 1, 0.06) << angle << stated << row;
    }
  }
}

/// Z0 = V/I and E_t/H_t of a lossy filling are inductive: over sqrt(1 - j tan delta).
TEST_F(CoaxialLine, OfALossyFillingHasComplexImpedances) {
  config("lossy.toml", 90, waveguides, "");
  const Ended ended = run("fem-solve lossy.toml --output out --set material.0.loss_tangent=0.3");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto ports = io::read_csv(path("out/ports.csv"));
  const Complex root = std::sqrt(Complex(1, -0.3));
  const auto expect = [&](const std::string& name, Complex exact) {
    for (int i = 0; i < 2; ++i) {
      const Complex stated(ports.numbers("re_" + name)[i], ports.numbers("im_" + name)[i]);
      EXPECT_LT(std::abs(stated / exact - 1.0), 2e-3) << name << stated << exact;
    }
  };
  expect("z0_ohm", impedance() / root);
  expect("reference_ohm", impedance() / root);
  expect("wave_impedance_ohm", vacuum_impedance / std::sqrt(epsilon) / root);
}

/// A dipole on an unstated plane would count whole in the modelled part: twice what it radiates.
TEST_F(CoaxialLine, SourcesBesidePortsThatAPlaneCutsNeedItStated) {
  const std::string excitation =
      "[excitation]\ntype = \"dipole\"\nposition = [1.3, 0, 5]\ndirection = [1, 0, 0]\n";
  config("part.toml", 180, waveguides, excitation);
  const Ended ended = run("fem-solve part.toml --output out");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("cuts a [[port]]"), std::string::npos) << ended.err;
  EXPECT_NE(ended.err.find("declare the plane by [[symmetry]]"), std::string::npos) << ended.err;
  config("part.toml", 180, waveguides, excitation + "[[symmetry]]\naxis = \"y\"\ntype = \"pmc\"\n");
  EXPECT_EQ(run("fem-solve part.toml --output out").status, 0);
}

/// 1/r of the field is that of a disc whose sheet conducts along the radius.
TEST_F(CoaxialLine, EndsInALumpedRing) {
  for (const int angle : {360, 90}) {
    config("ring.toml", angle,
           "[[port]]\nregion = \"port1\"\nreference_impedance = 75\n[[port]]\nregion = \"port2\"\ntype = "
           "\"lumped\"\ndirection = \"radial\"\nresistance = 20\n",
           "");
    const Ended ended = run("fem-solve ring.toml --output out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto s = test::read_touchstone(path("out/ring.s2p"));
    const auto [s11, s21] = exact(5e9, 75, 20);
    EXPECT_LT(std::abs(s.at(0, 0, 0) - s11), 5e-3) << angle;
    EXPECT_LT(std::abs(s.at(0, 1, 0) - s21), 5e-3) << angle;
    const auto references = io::read_csv(path("out/ports.csv")).numbers("re_reference_ohm");
    EXPECT_EQ(references[0], 75);
    EXPECT_EQ(references[1], 20);
    EXPECT_NE(ended.out.find("1 against 75 ohm, 2 against 20 ohm"), std::string::npos) << ended.out;
  }
}

/// 30 ohm across the gap of the full model, in parallel to the port's 20, terminate the line by 12.
TEST_F(CoaxialLine, EndsInALumpedRingWithAnElementAcrossIt) {
  for (const int angle : {360, 90}) {
    config("ring.toml", angle,
           "[[port]]\nregion = \"port1\"\nreference_impedance = 75\n[[port]]\nregion = \"port2\"\ntype = "
           "\"lumped\"\ndirection = \"radial\"\nresistance = 20\nparallel_resistance = 30\n",
           "");
    const Ended ended = run("fem-solve ring.toml --output out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto s = test::read_touchstone(path("out/ring.s2p"));
    EXPECT_LT(std::abs(s.at(0, 0, 0) - exact(5e9, 75, 12).first), 5e-3) << angle;
  }
}

TEST_F(CoaxialLine, RefusesLumpedPortsThatJoinNoConductors) {
  const std::pair<const char*, const char*> bad[] = {{"\"x\"", "rectangle"}, {"\"z\"", "in the plane"}};
  for (const auto& [direction, says] : bad) {
    config("bad.toml", 360,
           "[[port]]\nregion = \"port1\"\n[[port]]\nregion = \"port2\"\ntype = \"lumped\"\ndirection = " +
               std::string(direction) + "\n",
           "");
    const Ended ended = run("fem-solve bad.toml --output out");
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find("port \"port2\""), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find(says), std::string::npos) << ended.err;
  }
}

TEST_F(CoaxialLine, RefusesReferencePlanesOutOfTheModel) {
  config("bad.toml", 90, "[[port]]\nregion = \"port1\"\ndeembed = 10\n[[port]]\nregion = \"port2\"\n", "");
  const Ended ended = run("fem-solve bad.toml --output out");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("port \"port1\": deembed = 10 m is outside of the model"), std::string::npos)
      << ended.err;
}

/// S11 of a short line against 50 ohm is the difference of two small numbers, inductance and capacitance.
TEST_F(CoaxialLine, IsRightAtLowFrequency) {
  config("low.toml", 90, waveguides, "reference_impedance = 50\n");
  Ended ended =
      run("fem-solve low.toml --output out --set accuracy.estimate=off --set frequency.values=[1e5,1e6,1e7]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/low.s2p"));
  for (std::size_t f = 0; f < 3; ++f) {
    const auto [s11, s21] = exact(s.frequencies[f], 50, 50);
    // 24, 7 and 3 % with cells of 1.2, 0.7 and 0.45 mm at every frequency: a 20th of that in L or C.
    EXPECT_LT(std::abs(s.at(f, 0, 0).imag() / s11.imag() - 1), 0.1) << s.frequencies[f];
  }
}

/// Modes between copper walls are found in the basis that hides charges at low frequency: refused by the
/// bound.
TEST_F(CoaxialLine, OfCopperIsRefusedAtLowFrequency) {
  config("low.toml", 90, waveguides, "", "type = \"impedance\"\nconductivity = 5.8e7");
  for (const char* low : {"0", "2.4"}) {
    const Ended ended =
        run("fem-solve low.toml --output low --set frequency.values=[1e9," + std::string(low) + "]");
    EXPECT_EQ(ended.status, 2) << ended.err;
    EXPECT_NE(ended.err.find(low == std::string("0") ? "0 Hz" : "too low for double precision"),
              std::string::npos)
        << ended.err;
  }
}

/// A wave impedance is not that of the line: E_t / H_t differs from it.
TEST_F(CoaxialLine, OfCopperTakesAReferenceByAVoltageLineOnly) {
  const std::string copper = "type = \"impedance\"\nconductivity = 5.8e7",
                    second = "[[port]]\nregion = \"port2\"\n";
  config("bad.toml", 360, "[[port]]\nregion = \"port1\"\nreference_impedance = 50\n" + second, "", copper);
  Ended ended = run("fem-solve bad.toml --output out");
  EXPECT_EQ(ended.status, 2) << ended.err;
  EXPECT_NE(ended.err.find("between conductors of finite impedance"), std::string::npos) << ended.err;

  const std::string line = "voltage_line = [[0.635, 0, 0], [2.05, 0, 0]]\nreference_impedance = 50\n";
  config("line.toml", 360, "[[port]]\nregion = \"port1\"\n" + line + second, "", copper);
  ended = run("fem-solve line.toml --output out --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_NEAR(io::read_csv(path("out/ports.csv")).numbers("re_z0_ohm")[0] / impedance(), 1, 1e-2);
}

/// R and L' of the wall: Z0 = sqrt((R + jwL)/(jwC)). Its phase is far from zero, its S are passive all the
/// same.
TEST_F(CoaxialLine, OfCopperIsSolvedAtOneMegahertz) {
  config("copper.toml", 360, waveguides, "", "type = \"impedance\"\nconductivity = 5.8e7");
  const Ended ended =
      run("fem-solve copper.toml --output out --set accuracy.estimate=off --set frequency.values=[1e6]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const double omega = 2 * pi * 1e6, log_ratio = std::log(outer / inner);
  const double rs = std::sqrt(omega * vacuum_permeability / (2 * 5.8e7));
  const Complex zs(rs, rs), j(0, 1);
  const Complex series =
      zs / (2 * pi) * (1 / inner + 1 / outer) + j * omega * vacuum_permeability / (2 * pi) * log_ratio;
  const Complex shunt = j * (2 * pi * omega * vacuum_permittivity * epsilon / log_ratio);
  const Complex gamma = std::sqrt(series * shunt);
  const auto ports = io::read_csv(path("out/ports.csv"));
  EXPECT_NEAR(ports.numbers("alpha_per_m")[0] / gamma.real(), 1, 1e-2);
  EXPECT_NEAR(ports.numbers("beta_per_m")[0] / gamma.imag(), 1, 1e-2);
  const double phase = std::arg(std::sqrt(series / shunt));  // -0.027
  for (const std::string name : {"z0_ohm", "wave_impedance_ohm"})
    EXPECT_NEAR(std::atan2(ports.numbers("im_" + name)[0], ports.numbers("re_" + name)[0]), phase, 3e-3)
        << name;
  EXPECT_EQ(ended.err.find("more power"), std::string::npos) << ended.err;
}

class Guides : public ProgramTest {
 protected:
  /// Two modes at each end of a straight guide: each goes through, whatever the meshes of its ends.
  void expect_straight(double tolerance) {
    const auto s = test::read_touchstone(path("out/guide.s4p"));
    for (std::size_t f = 0; f < s.frequencies.size(); ++f) {
      EXPECT_NEAR(std::abs(s.at(f, 2, 0)), 1, tolerance) << s.frequencies[f];
      EXPECT_NEAR(std::abs(s.at(f, 3, 1)), 1, tolerance) << s.frequencies[f];
      EXPECT_LT(std::abs(s.at(f, 3, 0)), 2e-2) << s.frequencies[f];
      EXPECT_LT(std::abs(s.at(f, 1, 0)), 2e-2) << s.frequencies[f];
    }
  }
  const std::string ports =
      "[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n[[port]]\nregion = \"port1\"\nmodes = 2\n"
      "absorbed_modes = 2\n[[port]]\nregion = \"port2\"\nmodes = 2\nabsorbed_modes = 2\n[output]\n"
      "fields = false\n";
};

/// LSE and LSM modes of a guide with a slab cross between 10.5 and 11 GHz: the transverse E of the one that
/// leads at 10 GHz has the larger phase constant there, and the smaller one at 11.5 GHz.
TEST_F(Guides, ModesKeepTheirNumbersWhereTheyCross) {
  write("guide.geo", R"(SetFactory("OpenCASCADE");
a = 10; b = 12; d = 5; l = 6; e = 1e-3;
Box(1) = {0, 0, 0, a, d, l}; Box(2) = {0, d, 0, a, b - d, l};
Coherence;
port1() = Surface In BoundingBox{-e, -e, -e, a + e, b + e, e};
port2() = Surface In BoundingBox{-e, -e, l - e, a + e, b + e, l + e};
walls() = CombinedBoundary{ Volume{:}; }; walls() -= {port1(), port2()};
Physical Volume("slab") = {1}; Physical Volume("air") = {2};
Physical Surface("port1") = port1(); Physical Surface("port2") = port2(); Physical Surface("walls") = walls();
)");
  write("guide.toml",
        "[mesh]\nfile = \"guide.geo\"\nunit = \"mm\"\nsize = 4\n[space]\norder = 2\n[frequency]\n"
        "values = [10e9, 11.5e9]\n[[material]]\nregion = \"air\"\n[[material]]\nregion = \"slab\"\n"
        "epsilon_r = 6.0\n" +
            ports);
  const Ended ended = run("fem-solve guide.toml --output out --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_straight(5e-3);
  const auto beta = io::read_csv(path("out/ports.csv")).numbers("beta_per_m");
  EXPECT_GT(beta[0], beta[1]);
  EXPECT_LT(beta[4], beta[5]);
}

TEST_F(Guides, DegenerateModesHaveTheSameAxesAtBothEnds) {
  write("guide.geo", R"(SetFactory("OpenCASCADE");
R = 10; r = 4; l = 8; e = 1e-3;
Cylinder(1) = {0, 0, 0, 0, 0, l, R}; Cylinder(2) = {0, 0, 0, 0, 0, l, r};
BooleanFragments{ Volume{1, 2}; Delete; }{ }
rod() = Volume In BoundingBox{-r - e, -r - e, -e, r + e, r + e, l + e}; air() = Volume{:}; air() -= {rod()};
port1() = Surface In BoundingBox{-R - e, -R - e, -e, R + e, R + e, e};
port2() = Surface In BoundingBox{-R - e, -R - e, l - e, R + e, R + e, l + e};
walls() = CombinedBoundary{ Volume{:}; }; walls() -= {port1(), port2()};
Physical Volume("rod") = {rod()}; Physical Volume("air") = {air()};
Physical Surface("port1") = {port1()}; Physical Surface("port2") = {port2()};
Physical Surface("walls") = {walls()};
MeshSize{ PointsOf{ Surface{port2()}; } } = 2.6;
)");
  write(
      "guide.toml",
      "[mesh]\nfile = \"guide.geo\"\nunit = \"mm\"\nsize = 4.5\norder = 2\n[space]\norder = 2\n[frequency]\n"
      "values = [9e9, 10e9]\n[[material]]\nregion = \"air\"\n[[material]]\nregion = \"rod\"\n"
      "epsilon_r = 4.0\n" +
          ports);
  const Ended ended = run("fem-solve guide.toml --output out --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  expect_straight(5e-3);
}

/// The phase of a medium with ε = μ = -1 runs backwards, its power forwards.
TEST_F(Guides, OfNegativeIndexHavePositiveImpedance) {
  write("guide.geo", R"(SetFactory("OpenCASCADE");
e = 1e-3; l = 30;
Box(1) = {0, 0, 0, 4, 2, l};
port1() = Surface In BoundingBox{-e, -e, -e, 4 + e, 2 + e, e};
port2() = Surface In BoundingBox{-e, -e, l - e, 4 + e, 2 + e, l + e};
plates() = Surface In BoundingBox{-e, -e, -e, 4 + e, e, l + e};
plates() += Surface In BoundingBox{-e, 2 - e, -e, 4 + e, 2 + e, l + e};
sides() = Surface{:}; sides() -= {port1(), port2(), plates()};
Physical Volume("line") = {1}; Physical Surface("plates") = plates(); Physical Surface("sides") = sides();
Physical Surface("port1") = port1(); Physical Surface("port2") = port2();
)");
  write(
      "guide.toml",
      "[mesh]\nfile = \"guide.geo\"\nunit = \"mm\"\nsize = 3\n[frequency]\nvalues = [1e9]\n[[material]]\n"
      "region = \"line\"\nepsilon_r = -1.0\nmu_r = -1.0\n[[boundary]]\nregion = \"plates\"\ntype = \"pec\"\n"
      "[[boundary]]\nregion = \"sides\"\ntype = \"pmc\"\n[[port]]\nregion = \"port1\"\n[[port]]\n"
      "region = \"port2\"\n[output]\nfields = false\n");
  const Ended ended = run("fem-solve guide.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/guide.s2p"));
  const double phase = 2 * pi * 1e9 / speed_of_light * 30e-3;
  EXPECT_LT(std::abs(s.at(0, 1, 0) - std::polar(1.0, phase)), 1e-3);
  EXPECT_NEAR(io::read_csv(path("out/ports.csv")).numbers("re_z0_ohm")[0] / (vacuum_impedance / 2), 1, 1e-3);
}

}  // namespace
}  // namespace curlew::test
