// SPDX-License-Identifier: BSD-3-Clause
// A guide whole, in half and full of a magnetic medium: cut-offs, impedances by the voltage, absorbing ends.

#include <cmath>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "read_touchstone.hpp"
#include "run_program.hpp"

namespace curlew::test {
namespace {

class GuideDefinitions : public ProgramTest {
 protected:
  /// A box from the origin, sides w and h, 20 mm long: port z = 0, far z = 20, right x = w, top y = h, walls.
  void SetUp() override {
    ProgramTest::SetUp();
    write("box.geo", R"(SetFactory("OpenCASCADE");
DefineConstant[ w = 22.86, h = 10.16 ];
l = 20; e = 1e-3;
Box(1) = {0, 0, 0, w, h, l};
near() = Surface In BoundingBox{-e, -e, -e, w + e, h + e, e};
far() = Surface In BoundingBox{-e, -e, l - e, w + e, h + e, l + e};
right() = Surface In BoundingBox{w - e, -e, -e, w + e, h + e, l + e};
top() = Surface In BoundingBox{-e, h - e, -e, w + e, h + e, l + e};
left() = Surface In BoundingBox{-e, -e, -e, e, h + e, l + e};
bottom() = Surface In BoundingBox{-e, -e, -e, w + e, e, l + e};
Physical Volume("inside") = {1};
Physical Surface("port") = near();
Physical Surface("far") = far();
Physical Surface("right") = right();
Physical Surface("top") = top();
Physical Surface("left") = left();
Physical Surface("bottom") = bottom();
)");
  }
  static std::string wall(const std::string& regions, const std::string& type) {
    return "[[boundary]]\nregion = [" + regions + "]\ntype = \"" + type + "\"\n";
  }
  Ended solve(const std::string& size, double frequency, double mu_r, const std::string& more) {
    write("guide.toml", "[mesh]\nfile = \"box.geo\"\nunit = \"mm\"\nsize = 5\nparameters = { " + size +
                            " }\n[space]\norder = 2\n[frequency]\nvalues = [" + std::to_string(frequency) +
                            "]\n[[material]]\nregion = \"inside\"\nmu_r = " + std::to_string(mu_r) + "\n" +
                            more + "[output]\nfields = false\n");
    return run("fem-solve guide.toml --output out");
  }
};

/// TE10 in mu_r 2: cut-off c/(2a sqrt(mu_r)), and V^2/2P = 2 (b/a) Zte of the whole guide, Zte = omega
/// mu/beta, where the plane of symmetry is electric (half of the voltage) or magnetic (half of the current).
TEST_F(GuideDefinitions, HalvesHaveTheVoltageAndCutOffOfTheWhole) {
  const double a = 22.86e-3, b = 10.16e-3, f = 7e9, mu_r = 2, k0 = 2 * pi * f / speed_of_light;
  const double z = 2 * b / a * vacuum_impedance * mu_r * k0 / std::sqrt(mu_r * k0 * k0 - pi * pi / (a * a));
  const struct {
    std::string size, walls, line;
  } cases[] = {{"h = 10.16", wall("\"left\", \"right\", \"top\", \"bottom\"", "pec"),
                "[[11.43, 0, 0], [11.43, 10.16, 0]]"},
               {"h = 5.08",
                wall("\"left\", \"right\", \"top\", \"bottom\"", "pec") +
                    "[[symmetry]]\naxis = \"y\"\nposition = 5.08\ntype = \"pec\"\n",
                "[[11.43, 0, 0], [11.43, 5.08, 0]]"},
               {"w = 11.43", wall("\"left\", \"top\", \"bottom\"", "pec") + wall("\"right\"", "pmc"),
                "[[11.43, 0, 0], [11.43, 10.16, 0]]"}};
  for (const auto& c : cases) {
    const Ended ended = solve(
        c.size, f, mu_r,
        c.walls + "[[port]]\nregion = \"port\"\nvoltage_line = " + c.line + "\n[[port]]\nregion = \"far\"\n");
    ASSERT_EQ(ended.status, 0) << ended.err;
    const auto ports = io::read_csv(path("out/ports.csv"));
    EXPECT_NEAR(ports.numbers("re_z0_ohm")[0] / z, 1, 1e-2) << c.size;
    EXPECT_NEAR(ports.numbers("cutoff_hz")[0] / (speed_of_light / (2 * a * std::sqrt(mu_r))), 1, 3e-3)
        << c.size;
  }
}

/// A hollow guide has no current: S refers to the impedance of its wave, jωμ0/γ, with the phase of its loss.
TEST_F(GuideDefinitions, WithoutAnImpedanceTheReferenceIsThatOfTheWave) {
  const double f = 9e9, k0 = 2 * pi * f / speed_of_light, cutoff = pi / 22.86e-3;
  const Complex gamma = std::sqrt(cutoff * cutoff - k0 * k0 * Complex(1, -0.3)),
                exact = Complex(0, k0 * vacuum_impedance) / gamma;
  const Ended ended = solve("h = 10.16", f, 1,
                            "loss_tangent = 0.3\n" + wall("\"left\", \"right\", \"top\", \"bottom\"", "pec") +
                                "[[port]]\nregion = \"port\"\n[[port]]\nregion = \"far\"\n");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto ports = io::read_csv(path("out/ports.csv"));
  const Complex reference(ports.numbers("re_reference_ohm")[0], ports.numbers("im_reference_ohm")[0]);
  EXPECT_LT(std::abs(reference / exact - 1.0), 1e-3) << reference << exact;
  EXPECT_EQ(ports.text.at("z0_definition")[0], "wave");
}

/// Between plates the wave is plane: an absorbing boundary in a magnetic medium lets it through. By the
/// impedance of another medium it would reflect (1 - 4)/(1 + 4).
TEST_F(GuideDefinitions, AbsorbingEndTakesThePlaneWaveOfAMagneticMedium) {
  const Ended ended = solve("w = 10, h = 10", 5e9, 4,
                            wall("\"top\", \"bottom\"", "pec") + wall("\"left\", \"right\"", "pmc") +
                                wall("\"far\"", "absorbing") + "[[port]]\nregion = \"port\"\n");
  ASSERT_EQ(ended.status, 0) << ended.err;
  EXPECT_LT(std::abs(test::read_touchstone(path("out/guide.s1p")).at(0, 0, 0)), 0.02);
}

}  // namespace
}  // namespace curlew::test
