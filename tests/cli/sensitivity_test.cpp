// SPDX-License-Identifier: BSD-3-Clause
// [[sensitivity]] against differences of whole runs, and against answers in closed form.

#include <cmath>
#include <nlohmann/json.hpp>

#include "base/types.hpp"
#include "derivative_rows.hpp"
#include "mode_matching.hpp"
#include "plain_iris.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

const std::string source = test::source_dir();

class SensitivityTest : public SummaryTest {
 protected:
  static Complex s(const nlohmann::json& results, const std::string& key) {
    const auto& z = results["s_parameters"][0][key];
    return {z[0], z[1]};
  }
  /// The strip dipole at 300 MHz, in cells of order 1.
  Ended solve_dipole(const std::string& parameter, const std::string& options = "") const {
    return run("(cat " + source +
               "/configs/lumped_dipole.toml; echo '[[sensitivity]]'; echo 'parameter = \"" + parameter +
               "\"') | sed 's#\\.\\./meshes#" + source +
               "/meshes#' > dipole.toml && fem-solve dipole.toml -o out --set frequency.values=[3e8] --set "
               "output.fields=false --set accuracy.estimate=off --set space.order=1 " +
               options);
  }
  void write_guide(const std::string& parameters) const {
    std::string text = "[mesh]\nfile = '" + source + R"(/meshes/slab.geo'
unit = "mm"
size = 6
[frequency]
values = [10e9]
[[material]]
region = "air"
epsilon_r = 1.0
[[material]]
region = "slab"
epsilon_r = 2.54
mu_r = 1.3
loss_tangent = 0.02
conductivity = 0.0
[[boundary]]
region = "walls"
type = "impedance"
conductivity = 1e4
[[port]]
region = "port1"
deembed = 3e-3
[[port]]
region = "port2"
[output]
fields = false
[accuracy]
estimate = "off"
)";
    for (std::size_t at = 0, end = 0; at < parameters.size(); at = end + 1) {
      end = parameters.find(' ', at);
      text += "[[sensitivity]]\nparameter = '" + parameters.substr(at, end - at) + "'\n";
      if (end == std::string::npos) break;
    }
    write("guide.toml", text);
  }
};

/// Central differences with steps of 1e-4 have errors of 1e-8 by the step and 1e-8 by rounding. Media inside,
/// at the ports (whose constants change with them), losses, walls.
TEST_F(SensitivityTest, DerivativesOfSAreThoseOfTheDiscreteProblem) {
  struct Case {
    const char *parameter, *path;
    double value, step;
  };
  const Case cases[] = {{"material.slab.epsilon_r", "material.1.epsilon_r", 2.54, 2e-4},
                        {"material.slab.mu_r", "material.1.mu_r", 1.3, 1e-4},
                        {"material.slab.loss_tangent", "material.1.loss_tangent", 0.02, 2e-4},
                        {"material.air.epsilon_r", "material.0.epsilon_r", 1, 1e-4},
                        {"port.port1.deembed", "port.0.deembed", 3e-3, 1e-6},
                        {"boundary.walls.conductivity", "boundary.0.conductivity", 1e4, 5}};
  std::string names;
  for (const Case& c : cases) names += (names.empty() ? "" : " ") + std::string(c.parameter);
  write_guide(names);
  ASSERT_EQ(run("fem-solve guide.toml -o out").status, 0);
  EXPECT_TRUE(exists("out/sensitivity.csv"));
  const auto found = results("out");
  for (const Case& c : cases) {
    nlohmann::json sides[2];
    for (const int side : {0, 1}) {
      const double value = c.value + (side == 0 ? -c.step : c.step);
      const Ended ended = run("fem-solve guide.toml -o side --set " + std::string(c.path) + "=" +
                              nlohmann::json(value).dump());
      ASSERT_EQ(ended.status, 0) << ended.err;
      sides[side] = results("side");
    }
    for (const char* key : {"s1_1", "s2_1", "s2_2"}) {
      const Complex expected = (s(sides[1], key) - s(sides[0], key)) / (2 * c.step);
      const Complex d = derivative(found, c.parameter, std::string("S") + key[1] + key[3]);
      EXPECT_LT(std::abs(d - expected), 1e-6 * std::abs(expected) + 1e-12) << c.parameter << " " << key;
    }
  }
}

/// Derivative at the least value of a key: loss by two equivalent keys, σ = ωε0 ε_r tan δ.
TEST_F(SensitivityTest, ConductivityFromZeroIsLossTangentInOtherUnits) {
  write_guide("material.slab.loss_tangent material.slab.conductivity");
  ASSERT_EQ(run("fem-solve guide.toml -o out").status, 0);
  const auto found = results("out");
  const double factor = 2 * 3.14159265358979 * 10e9 * 8.8541878128e-12 * 2.54;
  const Complex by_tangent = derivative(found, "material.slab.loss_tangent", "S21"),
                by_conductivity = derivative(found, "material.slab.conductivity", "S21");
  EXPECT_LT(std::abs(by_conductivity * factor / by_tangent - 1.0), 1e-6);
}

/// f ~ 1/√ε_r of curved cells of one medium.
TEST_F(SensitivityTest, FrequencyOfAFilledCavity) {
  const Ended ended = run("(cat " + source +
                          "/configs/spherical_cavity.toml; echo '[[sensitivity]]'; echo "
                          "'parameter = \"material.cavity.epsilon_r\"') | sed 's#\\.\\./meshes#" +
                          source +
                          "/meshes#' > sphere.toml && fem-solve sphere.toml -o out --set mesh.size=0.8 --set "
                          "analysis.modes=2 --set output.fields=false --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto found = results("out");
  for (const std::string f : {"f1", "f2"}) {
    const double expected = -found[f + "_hz"].get<double>() / 2;
    EXPECT_NEAR(derivative(found, "material.cavity.epsilon_r", f).real() / expected, 1, 1e-7);
  }
}

/// f ~ 1/R. The cells' motion is no uniform one: the derivative is as exact as the frequency.
TEST_F(SensitivityTest, FrequencyOfASphereByItsRadius) {
  const Ended ended =
      run("(sed 's#^size.*#size = 0.5\\nparameters = { radius = 1.0 }#; s#\\.\\./meshes#" + source +
          "/meshes#' " + source +
          "/configs/spherical_cavity.toml; echo '[[sensitivity]]'; echo "
          "'parameter = \"mesh.parameters.radius\"') > sphere.toml && fem-solve sphere.toml -o out "
          "--set analysis.modes=3 --set output.fields=false --set accuracy.estimate=off");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto found = results("out");
  for (const std::string f : {"f1", "f2", "f3"})
    EXPECT_NEAR(derivative(found, "mesh.parameters.radius", f).real() / -found[f + "_hz"].get<double>(), 1,
                1e-3);
}

/// Width and thickness of an iris, behind which the guide and its port move, against differences of mode
/// matching, which shares nothing with cells and their motion. S itself is off by 1.5 %.
TEST_F(SensitivityTest, DimensionsOfAnIris) {
  write("iris.toml", plain_iris_config("parameters = { gap = 12, thickness = 2 }", R"([refinement]
tolerance = 2e-2
[[sensitivity]]
parameter = "mesh.parameters.gap"
[[sensitivity]]
parameter = "mesh.parameters.thickness"
)"));
  const Ended ended = run("fem-solve iris.toml -o out");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const reference::Guide guide(22.86e-3, 10e9, 100);
  const auto exact = [&](double gap, double thickness) {
    const auto device =
        cascade(cascade(guide.section(20e-3), guide.iris(gap, thickness)), guide.section(20e-3));
    return std::pair{device.reflection(), device.transmission()};
  };
  const auto expect_near = [&](const char* parameter, auto high, auto low) {
    const double step = 0.02;  // mm
    const Complex s11 = (high.first - low.first) / step, s21 = (high.second - low.second) / step;
    EXPECT_LT(std::abs(derivative(results("out"), parameter, "S11") - s11), 0.04 * std::abs(s11))
        << parameter;
    EXPECT_LT(std::abs(derivative(results("out"), parameter, "S21") - s21), 0.04 * std::abs(s21))
        << parameter;
  };
  expect_near("mesh.parameters.gap", exact(12.01e-3, 2e-3), exact(11.99e-3, 2e-3));
  expect_near("mesh.parameters.thickness", exact(12e-3, 2.01e-3), exact(12e-3, 1.99e-3));
}

/// S = (Z - R) / (Z + R) against the port's resistance, on which the input impedance Z hardly depends: the
/// field on the sheet is not quite uniform.
TEST_F(SensitivityTest, ResistanceOfALumpedPort) {
  const Ended ended = solve_dipole("port.feed.resistance");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto found = results("out");
  const Complex z = s(found, "input_impedance_1_ohm"), sum = z + 73.0;
  EXPECT_LT(std::abs(derivative(found, "port.feed.resistance", "S11") * sum * sum / (-2.0 * z) - 1.0), 1e-3);
  EXPECT_LT(std::abs(derivative(found, "port.feed.resistance", "Z1")), 1e-2);
}

/// Z = Zgap + jωL at the terminals; Zgap hardly depends on L or on the port's resistance.
TEST_F(SensitivityTest, CoilBeforeALumpedPort) {
  const std::string parameter = "port.feed.series_inductance";
  const Ended ended = solve_dipole(parameter, "--set port.0.series_inductance=2e-8");
  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto found = results("out");
  const Complex slope(0, 2 * 3.14159265358979 * 3e8), sum = s(found, "input_impedance_1_ohm") + 73.0;
  EXPECT_LT(std::abs(derivative(found, parameter, "Z1") / slope - 1.0), 1e-3);
  EXPECT_LT(std::abs(derivative(found, parameter, "S11") * sum * sum / (146.0 * slope) - 1.0), 1e-3);
}

TEST_F(SensitivityTest, MistakesAreOneLineEach) {
  const std::pair<const char*, const char*> mistakes[] = {
      {"material.epsilon_r", "must be like"},
      {"mesh.parameters.slot", "does not contain"},
      {"mesh.size", "must be like"},
      {"material.slap.epsilon_r", "no [[material]] has region"},
      {"material.air.loss_tangent", "must be given"},
      {"boundary.walls.type", "as one number"}};
  for (const auto& [parameter, words] : mistakes) {
    write_guide(parameter);
    const Ended ended = run("fem-solve guide.toml -q -o bad");
    EXPECT_EQ(ended.status, 2) << parameter;
    EXPECT_NE(ended.err.find(words), std::string::npos) << parameter << ": " << ended.err;
    EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
  }
  // An opening that is as wide as the guide a little above the number: surfaces of the iris are gone there.
  write("closed.toml", plain_iris_config("size = 6\nparameters = { gap = 22.8599, thickness = 2 }",
                                         "[[sensitivity]]\nparameter = 'mesh.parameters.gap'\n"));
  const Ended gone = run("fem-solve closed.toml -q -o bad");
  EXPECT_EQ(gone.status, 2);
  EXPECT_NE(gone.err.find("following the surfaces"), std::string::npos) << gone.err;
  EXPECT_EQ(std::count(gone.err.begin(), gone.err.end(), '\n'), 1) << gone.err;
}

}  // namespace
}  // namespace curlew::test
