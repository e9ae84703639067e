// SPDX-License-Identifier: BSD-3-Clause
// Curved bodies as a user gives them, with eight edges around a circle and no other size of the mesh: errors
// against closed forms are below the tolerance of the passes, and bars cover them.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/constants.hpp"
#include "base/types.hpp"
#include "io/csv.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

class CurvedBodies : public SummaryTest {
 protected:
  /// Runs a config on a geometry. Cells between six edges around a circle, the default, may fold over, which
  /// is a warning. @param parts those of its volumes and surfaces
  void solve(const std::string& parts, const std::string& config) {
    write("g.geo", "SetFactory(\"OpenCASCADE\");\nMesh.MeshSizeFromCurvature = 8;\ne = 1e-4;\n" + parts);
    write("c.toml", "[mesh]\nfile = \"g.geo\"\n" + config + "[output]\nfields = false\n");
    const Ended ended = run("fem-solve c.toml -o out");
    ASSERT_EQ(ended.status, 0) << ended.err;
    EXPECT_EQ(ended.err.find("warning"), std::string::npos) << ended.err;
  }
  void expect_modes(const std::vector<double>& exact, double tolerance) const {
    const auto r = results();
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double f = r[fmt::format("f{}_hz", i + 1)], bar = r[fmt::format("f{}_error_hz", i + 1)];
      EXPECT_LE(std::abs(f - exact[i]), bar) << i;
      EXPECT_LE(std::abs(f - exact[i]), tolerance * exact[i]) << i;
      EXPECT_LE(bar, 1.5 * tolerance * exact[i]) << i;
    }
  }
};

/// A dielectric rod of radius 6 between the ends of a metal cylinder of radius 20 and height 15 mm: modes
/// TM010 and, twice, TM110 and HEM111, zeros of the determinant of the tangential fields at the rod's side,
/// by SciPy's Bessel functions. Source: Harrington (1961), Time-harmonic electromagnetic fields, section 5-5.
TEST_F(CurvedBodies, ARodInACavity) {
  solve(
      "Cylinder(1) = {0,0,0, 0,0,15, 20};\nCylinder(2) = {0,0,0, 0,0,15, "
      "6};\n"
      "BooleanFragments{ Volume{1}; Delete; }{ Volume{2}; Delete; }\n"
      "rod() = Volume In BoundingBox{-6-e,-6-e,-e, 6+e,6+e,15+e};\nair() = Volume{:};\nair() -= {rod()};\n"
      "Physical Volume(\"rod\") = {rod()};\nPhysical Volume(\"air\") = {air()};\n"
      "Physical Surface(\"walls\") = CombinedBoundary{ Volume{:}; };\n",
      "unit = \"mm\"\n[analysis]\ntype = \"eigen\"\nmodes = 4\n[[material]]\nregion = \"air\"\n"
      "[[material]]\nregion = \"rod\"\nepsilon_r = 9.4\n[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n");
  expect_modes({2.850854370e9, 5.944910693e9, 5.944910693e9, 6.190824297e9}, 1e-3);
}

/// TE11 of a circular guide on a plug: layers of impedance 1/γ. Source: Collin (1991), Field Theory of Guided
/// Waves, chapter 6.
TEST_F(CurvedBodies, APlugInACircularGuide) {
  solve(
      "Cylinder(1) = {0,0,0, 0,0,20, 12};\nCylinder(2) = {0,0,20, 0,0,8, 12};\n"
      "Cylinder(3) = {0,0,28, 0,0,17, 12};\nBooleanFragments{ Volume{1:3}; Delete; }{ }\n"
      "plug() = Volume In BoundingBox{-20,-20,20-e, 20,20,28+e};\nair() = Volume{:};\nair() -= {plug()};\n"
      "in() = Surface In BoundingBox{-20,-20,-e, 20,20,e};\n"
      "out() = Surface In BoundingBox{-20,-20,45-e, 20,20,45+e};\n"
      "walls() = CombinedBoundary{ Volume{:}; };\nwalls() -= {in(), out()};\n"
      "Physical Volume(\"plug\") = {plug()};\nPhysical Volume(\"air\") = {air()};\n"
      "Physical Surface(\"walls\") = {walls()};\nPhysical Surface(\"in\") = {in()};\n"
      "Physical Surface(\"out\") = {out()};\n",
      "unit = \"mm\"\n[frequency]\nvalues = [8e9, 8.7e9, 9.4e9]\n[[material]]\nregion = \"air\"\n"
      "[[material]]\nregion = \"plug\"\nepsilon_r = 2.5\n[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n"
      "[[port]]\nregion = \"in\"\npolarization = [1, 0, 0]\n[[port]]\nregion = \"out\"\n"
      "polarization = [1, 0, 0]\n");
  const double kc = 1.841183781340659 / 12e-3, length = 8e-3, feed = 20e-3, rest = 17e-3;
  const auto r = results();
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& at = r["s_parameters"][i];
    const double k = 2 * pi * at["frequency_hz"].get<double>() / speed_of_light;
    const Complex g0 = std::sqrt(Complex(kc * kc - k * k)), g = std::sqrt(Complex(kc * kc - 2.5 * k * k)),
                  rho = (g0 - g) / (g0 + g), step = std::exp(-g * length),
                  denominator = 1.0 - rho * rho * step * step,
                  s11 = rho * (1.0 - step * step) / denominator * std::exp(-2.0 * g0 * feed),
                  s21 = (1.0 - rho * rho) * step / denominator * std::exp(-g0 * (feed + rest));
    for (const auto& [key, exact] : {std::pair{"s1_1", s11}, {"s2_1", s21}}) {
      const Complex s(at[key][0], at[key][1]);
      const double error = std::min(std::abs(s - exact), std::abs(s + (key[1] == '2' ? exact : -exact)));
      EXPECT_LE(error, 0.02) << key << i;
      EXPECT_LE(error, r["errors"][i][std::string(key) + "_error"].get<double>()) << key << i;
    }
  }
}

/// Modes of sound in a rigid ball: zeros u of the derivatives of j1 (three modes) and j2 (five).
TEST_F(CurvedBodies, SoundInABall) {
  solve(
      "Sphere(1) = {0,0,0, 0.3};\nPhysical Volume(\"air\") = {1};\n"
      "Physical Surface(\"walls\") = Boundary{ Volume{1}; };\n",
      "unit = \"m\"\n[analysis]\ntype = \"eigen\"\nmodes = 8\n[[material]]\n"
      "region = \"air\"\ndensity = 1.2041\nspeed_of_sound = 343.2\n[[boundary]]\nregion = \"walls\"\n"
      "type = \"rigid\"\n");
  const double scale = 343.2 / (2 * pi * 0.3), one = 2.081575977818101, two = 3.342093657365695;
  std::vector<double> exact(8, scale * two);
  std::fill_n(exact.begin(), 3, scale * one);
  expect_modes(exact, 1e-3);
}

/// A pulsating ball within a rigid one: p = (A exp(-jkr) + B exp(jkr)) / r, of which dp/dr is -jωρv at the
/// first and 0 at the second.
TEST_F(CurvedBodies, APulsatingBallInABall) {
  solve(
      "Sphere(1) = {0,0,0, 0.3};\nSphere(2) = {0,0,0, 0.1};\n"
      "v() = BooleanDifference{ Volume{1}; Delete; }{ Volume{2}; Delete; };\n"
      "in() = Surface In BoundingBox{-0.1-e,-0.1-e,-0.1-e, 0.1+e,0.1+e,0.1+e};\n"
      "out() = Boundary{ Volume{:}; };\nout() -= {in()};\nPhysical Volume(\"air\") = {v()};\n"
      "Physical Surface(\"in\") = {in()};\nPhysical Surface(\"out\") = {out()};\n",
      "unit = \"m\"\n[frequency]\nvalues = [300, 700]\n[[material]]\n"
      "region = \"air\"\ndensity = 1.2041\nspeed_of_sound = 343.2\n[[boundary]]\nregion = \"in\"\n"
      "type = \"neumann\"\nvelocity = -1e-3\n[[boundary]]\nregion = \"out\"\ntype = \"rigid\"\n"
      "[[probe]]\nname = \"out\"\nregion = \"out\"\n");
  const auto table = io::read_csv(path("out/errors.csv"));
  for (std::size_t i = 0; i < 2; ++i) {
    const double frequency = table.numbers("frequency_hz")[i], k = 2 * pi * frequency / 343.2, a = 0.1,
                 b = 0.3;
    // p without a factor; dp/dr(b) = 0.
    const auto p = [&](double r) { return (std::sin(k * (b - r)) - k * b * std::cos(k * (b - r))) / r; };
    const auto slope = [&](double r) {
      return (-k * std::cos(k * (b - r)) - k * k * b * std::sin(k * (b - r))) / r - p(r) / r;
    };
    const double exact = std::abs(2 * pi * frequency * 1.2041 * 1e-3 * p(b) / slope(a));
    const double error = std::abs(table.numbers("value")[i] - exact);
    EXPECT_LE(error, table.numbers("error")[i]) << frequency;
    EXPECT_LE(error, 0.02 * exact) << frequency;
  }
}

}  // namespace
}  // namespace curlew::test
