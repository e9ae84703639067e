// SPDX-License-Identifier: BSD-3-Clause
// R, L, G and C of lines, plates and loops from 0 Hz to 1 GHz, against closed forms.

#include <cmath>
#include <string>
#include <vector>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string frequencies = "[frequency]\nvalues = [0, 1, 1e3, 1e6, 1e9]\n";

/// ABCD of a line of series impedance z and shunt admittance y per metre. Source: Pozar (2012), table 4.1.
struct TwoPort {
  Complex a, b, c, d;
};
TwoPort line(Complex z, Complex y, double length) {
  if (z == 0.0 || y == 0.0) return {1, z * length, y * length, 1};
  const Complex g = std::sqrt(z * y), z0 = std::sqrt(z / y);
  return {std::cosh(g * length), z0 * std::sinh(g * length), std::sinh(g * length) / z0,
          std::cosh(g * length)};
}
/// Series impedance B/D and shunt admittance C/A out of S between resistances r: imaginary parts far below 1
/// stay accurate.
std::pair<Complex, Complex> series_and_shunt(const io::Touchstone& s, std::size_t f, double r) {
  const Complex s11 = s.at(f, 0, 0), s12 = s.at(f, 0, 1), s21 = s.at(f, 1, 0), s22 = s.at(f, 1, 1);
  const Complex a = (1.0 + s11) * (1.0 - s22) + s12 * s21, b = r * ((1.0 + s11) * (1.0 + s22) - s12 * s21);
  const Complex c = ((1.0 - s11) * (1.0 - s22) - s12 * s21) / r, d = (1.0 - s11) * (1.0 + s22) + s12 * s21;
  return {b / d, c / a};
}

class LowFrequency : public SummaryTest {};

/// 10 mm of coaxial line, a quarter of it between magnetic planes.
class LowCoax : public LowFrequency {
 protected:
  static constexpr double inner = 0.635e-3, outer = 2.05e-3, epsilon = 2.07, length = 10e-3;
  const double inductance = vacuum_permeability / (2 * pi) * std::log(outer / inner) * length;
  const double capacitance = 2 * pi * vacuum_permittivity * epsilon / std::log(outer / inner) * length;

  void config(int order, const std::string& mesh, const std::string& ports) {
    write("coax.geo", R"(SetFactory("OpenCASCADE");
a = 0.635; b = 2.05; l = 10; e = 1e-3;
Cylinder(1) = {0, 0, 0, 0, 0, l, b, Pi / 2};
Cylinder(2) = {0, 0, 0, 0, 0, l, a, Pi / 2};
BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; }
port1() = Surface In BoundingBox{-b - e, -b - e, -e, b + e, b + e, e};
port2() = Surface In BoundingBox{-b - e, -b - e, l - e, b + e, b + e, l + e};
pin() = Surface In BoundingBox{-a - e, -a - e, -e, a + e, a + e, l + e};
planes() = Surface In BoundingBox{-b - e, -e, -e, b + e, e, l + e};
planes() += Surface In BoundingBox{-e, -e, -e, e, b + e, l + e};
shield() = Surface{:};
shield() -= {port1(), port2(), pin(), planes()};
Physical Volume("teflon") = Volume{:};
Physical Surface("pin") = pin();
Physical Surface("shield") = shield();
Physical Surface("port1") = port1();
Physical Surface("port2") = port2();
Physical Surface("planes") = planes();
)");
    write("coax.toml", "[mesh]\nfile = \"coax.geo\"\nunit = \"mm\"\n" + mesh +
                           "[space]\norder = " + std::to_string(order) + "\n" + frequencies +
                           "[[material]]\nregion = \"teflon\"\nepsilon_r = 2.07\n[[boundary]]\nregion = "
                           "[\"pin\", \"shield\"]\ntype = \"pec\"\n[[boundary]]\nregion = \"planes\"\ntype = "
                           "\"pmc\"\n" +
                           ports + "[output]\nfields = false\nreference_impedance = 50\n");
  }
};

/// Through a lumped ring, on facets too: it absorbs nothing but what its voltage drives through its
/// resistance.
TEST_F(LowCoax, LineHasItsInductanceAndCapacitanceAtAllOrders) {
  const std::string meshes[] = {"order = 1\nsize = 0.45\n", "order = 2\nsize = 1\n", "order = 2\nsize = 1\n"},
                    ring = "type = \"lumped\"\ndirection = \"radial\"\n";
  struct Trial {
    int order;
    std::string mesh, end;
  };
  for (const auto& [order, mesh, end] : {Trial{1, meshes[0], ""},
                                         {2, meshes[1], ""},
                                         {3, meshes[2], ""},
                                         {1, meshes[0], ring},
                                         {2, meshes[0], ring},
                                         {3, meshes[2], ring}}) {
    config(order, mesh, "[[port]]\nregion = \"port1\"\n[[port]]\nregion = \"port2\"\n" + end);
    const Ended ended = run("fem-solve coax.toml --output out --set accuracy.estimate=off");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto s = test::read_touchstone(path("out/coax.s2p"));
    ASSERT_EQ(s.frequencies.size(), 5u);
    EXPECT_EQ(s.frequencies[0], 0);
    EXPECT_LT(std::abs(s.at(0, 1, 0) - 1.0) + std::abs(s.at(0, 0, 0)), 1e-9) << order << end;
    const double tolerance = mesh == meshes[0] ? 0.03 : 0.01;
    for (std::size_t f = 1; f < 5; ++f) {
      const double omega = 2 * pi * s.frequencies[f];
      const auto exact =
          line(Complex(0, omega * inductance / length), Complex(0, omega * capacitance / length), length);
      const auto [series, shunt] = series_and_shunt(s, f, 50);
      EXPECT_NEAR((series / (exact.b / exact.d)).real(), 1, tolerance) << order << end << s.frequencies[f];
      EXPECT_NEAR((shunt / (exact.c / exact.a)).real(), 1, tolerance) << order << end << s.frequencies[f];
      EXPECT_NEAR(std::norm(s.at(f, 0, 0)) + std::norm(s.at(f, 1, 0)), 1, 1e-10) << order << end;
    }
  }
}

/// At 0 Hz the line is a wire: port 1 sees z2, and S11 = (z2 - z1*)/(z2 + z1), S21 = 2 sqrt(R1 R2)/(z1 + z2).
/// Source: Kurokawa, IEEE Trans. MTT 13(2), 1965, (1) and (20).
TEST_F(LowCoax, HasPowerWavesOfComplexReferencesAt0Hz) {
  config(2, "order = 2\nsize = 1\n",
         "[[port]]\nregion = \"port1\"\nreference_impedance = [30, 20]\n[[port]]\nregion = \"port2\"\n"
         "reference_impedance = [70, -10]\n");
  const Ended ended = run("fem-solve coax.toml --output out --set frequency.values=[0,1]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const Complex z1(30, 20), z2(70, -10), sum = z1 + z2;
  const Complex s11 = (z2 - std::conj(z1)) / sum, s22 = (z1 - std::conj(z2)) / sum;
  const Complex s21 = 2 * std::sqrt(z1.real() * z2.real()) / sum;
  const auto s = test::read_touchstone(path("out/coax.s2p"));
  for (std::size_t f = 0; f < 2; ++f) {
    EXPECT_LT(std::abs(s.at(f, 0, 0) - s11), 1e-6) << s.frequencies[f];
    EXPECT_LT(std::abs(s.at(f, 1, 1) - s22), 1e-6) << s.frequencies[f];
    EXPECT_LT(std::abs(s.at(f, 1, 0) - s21), 1e-6) << s.frequencies[f];
  }
}

/// All split frequencies of a sweep share one analysis, and have the S that they have alone.
TEST_F(LowCoax, SweepIsAnalysedOnce) {
  config(2, "order = 2\nsize = 1\n", "[[port]]\nregion = \"port1\"\n[[port]]\nregion = \"port2\"\n");
  const std::string command = "fem-solve coax.toml -v --set accuracy.estimate=off --set frequency.values=";
  const Ended ended = run(command + "[0,1,1e3,1e6,1e7,4e9] -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  std::size_t analyses = 0;
  for (auto at = ended.err.find("split gradients:"); at != std::string::npos;
       at = ended.err.find("split gradients:", at + 1))
    ++analyses;
  EXPECT_EQ(analyses, 1u) << ended.err;
  const auto s = test::read_touchstone(path("out/coax.s2p"));
  for (const std::size_t f : {0, 2, 4}) {
    ASSERT_EQ(
        run(command + std::vector<std::string>{"[0,1]", "", "[1e3]", "", "[1e7]"}[f] + " -o alone").status,
        0);
    const auto alone = test::read_touchstone(path("alone/coax.s2p"));
    for (std::size_t i : {0, 1})
      for (std::size_t j : {0, 1}) EXPECT_LT(std::abs(alone.at(0, i, j) - s.at(f, i, j)), 1e-10) << f;
  }
}

/// An adaptive sweep from 0 Hz on gives S of the full one; frequencies beyond the reduced model are solved.
TEST_F(LowCoax, AdaptiveSweepBeginsAt0Hz) {
  config(2, "order = 2\nsize = 1\n", "[[port]]\nregion = \"port1\"\n[[port]]\nregion = \"port2\"\n");
  const std::string band =
      "fem-solve coax.toml --set accuracy.estimate=off --set "
      "frequency.values=[0,1,1e3,1e6,2e9,4e9,6e9,8e9,10e9,12e9,14e9,16e9,18e9] ";
  ASSERT_EQ(run(band + "-o full").status, 0);
  const Ended ended = run(band + "--set frequency.adaptive_tolerance=1e-4 -o fast");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto full = test::read_touchstone(path("full/coax.s2p")),
             fast = test::read_touchstone(path("fast/coax.s2p"));
  ASSERT_EQ(fast.frequencies, full.frequencies);
  for (std::size_t f = 0; f < full.frequencies.size(); ++f)
    for (std::size_t i : {0, 1})
      for (std::size_t j : {0, 1})
        EXPECT_LT(std::abs(fast.at(f, i, j) - full.at(f, i, j)), 1e-4) << full.frequencies[f];
  EXPECT_LE(results("fast")["full_solutions"].get<int>(), 10);  // by pairs above 1 MHz
}

/// Problems beyond the split system are refused where rounding dominates, each with its cause.
TEST_F(LowCoax, KindsThatAreNotSplitAreRefused) {
  config(2, "order = 2\nsize = 1\n", "[[port]]\nregion = \"port1\"\n[[port]]\nregion = \"port2\"\n");
  const std::string
      configs = test::source_dir() + "/configs/",
      coax = "fem-solve coax.toml ", hertz = " --output out --set frequency.values=[1]",
      plate = "--set frequency.start=1 --set frequency.stop=1 --set frequency.points=1 --output out";
  const struct {
    std::string command, says;
  } cases[] = {
      {coax + "--set solver.method=gmres" + hertz, "solver.method = \"direct\" has no such limit"},
      {coax + "--set boundary.0.type=impedance --set boundary.0.conductivity=1e7" + hertz,
       "walls of finite impedance"},
      {"fem-solve " + configs + "perforated_plate.toml " + plate, "[[periodic]] faces"},
      {"fem-solve " + configs + "sphere_in_layer.toml" + hertz, "an [excitation]"},
      {"fe-iiee " + configs + "sphere_in_air.toml" + hertz, "[truncation]"},
      {"fe-iiee " + configs + "sphere_in_air.toml --set refinement.tolerance=0.1" + hertz, "[truncation]"}};
  for (const auto& [command, says] : cases) {
    const Ended ended = run(command);
    EXPECT_EQ(ended.status, 2) << command << ended.err;
    EXPECT_NE(ended.err.find("is too low for double precision on this mesh"), std::string::npos) << ended.err;
    EXPECT_NE(ended.err.find(says), std::string::npos) << ended.err;
    EXPECT_FALSE(exists("out/solution.h5")) << command;
  }
}

/// A shorted line is a loop of known inductance, fed by a lumped ring.
TEST_F(LowCoax, LoopHasItsInductance) {
  config(2, "order = 2\nsize = 1\n",
         "[[boundary]]\nregion = \"port2\"\ntype = \"pec\"\n[[port]]\nregion = \"port1\"\ntype = \"lumped\"\n"
         "direction = \"radial\"\nresistance = 50\n");
  const Ended ended = run("fem-solve coax.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/coax.s1p"));
  EXPECT_NEAR(s.at(0, 0, 0).real(), -1, 1e-9);
  for (std::size_t f = 1; f < 5; ++f) {
    const double omega = 2 * pi * s.frequencies[f];
    const Complex gamma = omega * std::sqrt(inductance * capacitance) / length;
    const Complex exact = Complex(0, std::sqrt(inductance / capacitance)) * std::tan(gamma * length);
    const Complex z = 50.0 * (1.0 + s.at(f, 0, 0)) / (1.0 - s.at(f, 0, 0));
    EXPECT_NEAR(z.imag() / exact.imag(), 1, 1e-2) << s.frequencies[f];
    EXPECT_LT(std::abs(z.real()), 1e-2 * exact.imag() + 1e-10) << s.frequencies[f];
  }
}

/// Plates of 4 by 2 mm at 0.5 mm with magnetic side walls: a uniform line without a fringe, with a lumped
/// port at one end or at both.
class LowPlates : public LowFrequency {
 protected:
  static constexpr double length = 4e-3, width = 2e-3, height = 0.5e-3, epsilon = 3;
  void config(const std::string& medium, const std::string& top, const std::string& end,
              const std::string& more = "") {
    write("plates.geo", R"(SetFactory("OpenCASCADE");
DefineConstant[ middle = 0, thick = 0, step = 0 ];
l = 4; w = 2; h = 0.5; e = 1e-3; y = step * 0.5;
Box(1) = {0, y, 0, l, w - y, h};
If (step == 1)
  Box(2) = {y, 0, 0, l - y, y, h};
  Box(3) = {0, 0, h / 2, y, y, h / 2};
  BooleanFragments{ Volume{1, 2, 3}; Delete; }{ }
EndIf
If (middle == 1)
  Rectangle(100) = {1, 0.5, h / 2, 2, 1};
  BooleanFragments{ Volume{1}; Delete; }{ Surface{100}; Delete; }
EndIf
If (thick == 1)
  Box(2) = {0.5, 0, 0.2, 3.5, w, 0.1};
  BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }
EndIf
near() = Surface In BoundingBox{-e, y - e, -e, e, w + e, h + e};
far() = Surface In BoundingBox{l - e, -e, -e, l + e, w + e, h + e};
bottom() = Surface In BoundingBox{-e, -e, -e, l + e, w + e, e};
top() = Surface In BoundingBox{-e, -e, h - e, l + e, w + e, h + e};
sides() = Surface In BoundingBox{-e, -e, -e, l + e, e, h + e};
sides() += Surface In BoundingBox{-e, w - e, -e, l + e, w + e, h + e};
If (step == 1)
  sides() += Surface In BoundingBox{-e, -e, h / 2 - e, e, y + e, h + e};
  bottom() += Surface In BoundingBox{-e, -e, h / 2 - e, y + e, y + e, h / 2 + e};
  bottom() += Surface In BoundingBox{y - e, -e, -e, y + e, y + e, h / 2 + e};
  bottom() += Surface In BoundingBox{-e, y - e, -e, y + e, y + e, h / 2 + e};
EndIf
If (thick == 1)
  Physical Volume("block") = {2};
  medium() = Volume{:};
  medium() -= {2};
  Physical Volume("medium") = medium();
Else
  Physical Volume("medium") = Volume{:};
EndIf
Physical Surface("near") = near();
Physical Surface("far") = far();
Physical Surface("bottom") = bottom();
Physical Surface("top") = top();
Physical Surface("sides") = sides();
If (middle == 1)
  inner() = Surface In BoundingBox{1 - e, 0.5 - e, h / 2 - e, 3 + e, 1.5 + e, h / 2 + e};
  Physical Surface("plate") = inner();
EndIf
)");
    write("plates.toml",
          "[mesh]\nfile = \"plates.geo\"\nunit = \"mm\"\nsize = 0.5\n" + more + "[space]\norder = 2\n" +
              frequencies + "[[material]]\nregion = \"medium\"\nepsilon_r = 3\n" + medium +
              "[[boundary]]\nregion = \"bottom\"\ntype = \"pec\"\n[[boundary]]\nregion = \"sides\"\ntype = "
              "\"pmc\"\n[[boundary]]\nregion = \"top\"\n" +
              top + "[[port]]\nregion = \"near\"\ntype = \"lumped\"\ndirection = \"z\"\n" + end +
              "[output]\nfields = false\n");
  }
  const std::string pec = "type = \"pec\"\n", open = "[[boundary]]\nregion = \"far\"\ntype = \"pmc\"\n";
  /// Admittance of the open line at the port's end.
  static Complex admittance(double frequency, double conductivity) {
    const double omega = 2 * pi * frequency;
    const Complex y(conductivity * width / height, omega * epsilon * vacuum_permittivity * width / height);
    const TwoPort t = line(Complex(0, omega * vacuum_permeability * height / width), y, length);
    return t.c / t.a;
  }
  Complex found(std::size_t f) const {
    const auto s = test::read_touchstone(path("out/plates.s1p"));
    return (1.0 - s.at(f, 0, 0)) / (1.0 + s.at(f, 0, 0)) / 50.0;
  }
};

TEST_F(LowPlates, HaveTheirCapacitance) {
  config("", pec, open);
  const Ended ended = run("fem-solve plates.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(std::abs(found(0)), 1e-12);
  for (std::size_t f = 1; f < 5; ++f) {
    const double frequency = std::pow(10.0, 3.0 * double(f - 1));
    EXPECT_NEAR(found(f).imag() / admittance(frequency, 0).imag(), 1, 1e-2) << frequency;
  }
}

/// A step of the lower plate reaches half the way up one side of a port, where other metal may not be.
TEST_F(LowPlates, AreNotShortedByMetalBesideAPort) {
  config("", pec, "[[port]]\nregion = \"far\"\ntype = \"lumped\"\ndirection = \"z\"\n",
         "parameters = { step = 1 }\n");
  const Ended ended = run("fem-solve plates.toml --output out --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/plates.s2p"));
  for (std::size_t f = 0; f < 5; ++f) {
    // The line of 54.4 between 50 ohm reflects 1.2e-11 of the frequency in Hz, 0.085 of its phase.
    EXPECT_LT(std::abs(s.at(f, 0, 0)), 1e-9 + 2e-11 * s.frequencies[f]) << s.frequencies[f];
    EXPECT_NEAR(std::norm(s.at(f, 0, 0)) + std::norm(s.at(f, 1, 0)), 1, 1e-10) << s.frequencies[f];
  }
}

/// A plate in the middle that nothing touches lies in an equipotential plane.
TEST_F(LowPlates, DoNotSeeAPlateBetweenThem) {
  config("", pec, open + "[[boundary]]\nregion = \"plate\"\ntype = \"pec\"\n",
         "parameters = { middle = 1 }\n");
  const Ended ended = run("fem-solve plates.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  for (std::size_t f = 1; f < 4; ++f) {
    const double frequency = std::pow(10.0, 3.0 * double(f - 1));
    EXPECT_NEAR(found(f).imag() / admittance(frequency, 0).imag(), 1, 1e-2) << frequency;
  }
}

TEST_F(LowPlates, WithALossHaveConductanceAndCapacitance) {
  for (const double sigma : {1e-9, 1e-3, 10.0}) {
    config("conductivity = " + std::to_string(sigma * 1e9) + "e-9\n", pec, open);
    const Ended ended = run("fem-solve plates.toml --output out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_NEAR(found(0).real() / admittance(0, sigma).real(), 1, 1e-2) << sigma;
    for (std::size_t f = 1; f < 5; ++f) {
      const double frequency = std::pow(10.0, 3.0 * double(f - 1));
      EXPECT_LT(std::abs(found(f) / admittance(frequency, sigma) - 1.0), 1e-2) << sigma << " " << frequency;
    }
  }
}

/// Copper that nothing touches floats: its charge is far below the round-off of its currents. The loss of
/// accuracy is detected and reported; sea water of the same shape is solved.
TEST_F(LowPlates, WithAFloatingBlockAreSolvedOrRefused) {
  const auto block = [](const char* conductivity) {
    return std::string("[[material]]\nregion = \"block\"\nconductivity = ") + conductivity + "\n";
  };
  config(block("4.0"), pec, open, "parameters = { thick = 1 }\n");
  Ended ended = run("fem-solve plates.toml --output out --set frequency.values=[1e3,1e6]");
  ASSERT_EQ(ended.status, 0) << ended.err;
  // The block of 0.1 mm shortens the lines of flux above 3.5 of 4 mm; no field is left in it.
  const double parallel = (0.5 / 0.5 + 3.5 / 0.4) / (4 / 0.5);
  EXPECT_NEAR(found(1).imag() / admittance(1e6, 0).imag(), parallel, 0.03);
  EXPECT_NEAR(found(0).imag() / found(1).imag(), 1e-3, 1e-5);

  config(block("5.8e7"), pec, open, "parameters = { thick = 1 }\n");
  ended = run("fem-solve plates.toml --output out --set frequency.values=[1e-3]");
  EXPECT_EQ(ended.status, 1) << ended.err;
  EXPECT_NE(ended.err.find("a test problem with a known solution"), std::string::npos) << ended.err;
}

/// The magnetic-wall model of a microstrip line: a strip of 5 ohm per square on a substrate of 0.1 S/m.
TEST_F(LowPlates, AreALineWithResistanceInductanceConductanceAndCapacitance) {
  config("conductivity = 0.1\n", "type = \"impedance\"\nsurface_impedance = 5\n",
         "[[port]]\nregion = \"far\"\ntype = \"lumped\"\ndirection = \"z\"\n");
  const Ended ended = run("fem-solve plates.toml --output out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto s = test::read_touchstone(path("out/plates.s2p"));
  for (std::size_t f = 0; f < 5; ++f) {
    const double omega = 2 * pi * s.frequencies[f];
    const Complex z(5 / width, omega * vacuum_permeability * height / width),
        y(0.1 * width / height, omega * epsilon * vacuum_permittivity * width / height);
    const TwoPort t = line(z, y, length);
    const Complex sum = t.a + t.b / 50.0 + t.c * 50.0 + t.d;
    EXPECT_LT(std::abs(s.at(f, 1, 0) - 2.0 / sum), 5e-3) << s.frequencies[f];
    EXPECT_LT(std::abs(s.at(f, 0, 0) - (t.a + t.b / 50.0 - t.c * 50.0 - t.d) / sum), 5e-3)
        << s.frequencies[f];
    const auto [series, shunt] = series_and_shunt(s, f, 50);
    EXPECT_LT(std::abs(series / (t.b / t.d) - 1.0), 1e-2) << s.frequencies[f];
    EXPECT_LT(std::abs(shunt / (t.c / t.a) - 1.0), 1e-2) << s.frequencies[f];
  }
}

}  // namespace
}  // namespace curlew::test
