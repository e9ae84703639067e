// SPDX-License-Identifier: BSD-3-Clause
// Expressions of configs: values by hand, units by dimension, every refusal word for word.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/constants.hpp"
#include "base/error.hpp"
#include "io/config.hpp"
#include "io/expression.hpp"
#include "io/schema/schema.hpp"
#include "message_of.hpp"

namespace curlew::io {
namespace {

const Names no_names{[](const std::string&) { return std::optional<Quantity>(); }, {}};

double value(const std::string& text) {
  return evaluate(text, no_names).value;
}

std::string fault(const std::string& text) {
  try {
    return fmt::format("{}", evaluate(text, no_names).value);
  } catch (const ExpressionError& e) {
    return e.what();
  }
}

TEST(Expression, FollowsPrecedence) {
  EXPECT_EQ(value("1 + 2*3 - 4/8"), 6.5);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2**3"), 8);
  EXPECT_EQ(value("8/2/2"), 2);
  EXPECT_EQ(value("(1+2)*3"), 9);
  EXPECT_EQ(value("- -.5e1"), 5);
  EXPECT_EQ(value("min(3, 1, 2) + max(1,2) + hypot(3,4)"), 8);
}

TEST(Expression, KnowsFunctionsAndConstants) {
  EXPECT_DOUBLE_EQ(value("sqrt(2)"), std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(value("sin(30 deg)"), 0.5);
  EXPECT_DOUBLE_EQ(value("sin(pi/6)"), 0.5);
  EXPECT_DOUBLE_EQ(value("atan2(1, 1)"), pi / 4);
  EXPECT_DOUBLE_EQ(value("log(exp(2)) + log10(1000)"), 5);
  EXPECT_DOUBLE_EQ(value("c0^2*eps0*mu0"), 1);
  EXPECT_DOUBLE_EQ(value("eta0"), std::sqrt(vacuum_permeability / vacuum_permittivity));
}

TEST(Expression, UnitsBindToTheirNumber) {
  const auto length = evaluate("1.6 mm/2 + 0.1mm", no_names);
  EXPECT_DOUBLE_EQ(length.value, 0.9e-3);
  EXPECT_EQ(unit_name(length.dimension), "m");
  EXPECT_EQ(unit_name(evaluate("5.8e7 S/m", no_names).dimension), "S/m");
  EXPECT_EQ(unit_name(evaluate("c0/(2.45 GHz)", no_names).dimension), "m");
  EXPECT_DOUBLE_EQ(value("2 mm^2"), 2e-6);
  EXPECT_DOUBLE_EQ(value("2 mm2"), 2e-6);
  EXPECT_DOUBLE_EQ(value("3 V/(2 m)"), 1.5);
  EXPECT_DOUBLE_EQ(value("90 deg"), pi / 2);
  EXPECT_DOUBLE_EQ(value("2 mil"), 5.08e-5);
  EXPECT_EQ(unit_name(evaluate("1 ohm*(1 A)", no_names).dimension), "V");
  EXPECT_EQ(unit_name(evaluate("sqrt(4 m2)", no_names).dimension), "m");
}

TEST(Expression, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(fault("1 m^10"), "column 5: the exponent of a unit must be a whole number from -9 to 9");
  EXPECT_EQ(fault("1 m^-2147483648"), "column 5: the exponent of a unit must be a whole number from -9 to 9");
  EXPECT_EQ(fault("(1 + 2"), "column 1: this parenthesis is not closed");
  EXPECT_EQ(fault("1 + 2)"), "column 6: this parenthesis was never opened");
  EXPECT_EQ(fault("sin(1"), "column 4: this parenthesis is not closed");
  EXPECT_EQ(fault("1/(2-2)"), "column 2: division by zero");
  EXPECT_EQ(fault("sqrt(-1)"), "column 1: -1^0.5 is not a finite number");
  EXPECT_EQ(fault("log(0)"), "column 1: log(0) is not a finite number");
  EXPECT_EQ(fault("1e300*1e300"), "column 1: the value is not a finite number");
  EXPECT_EQ(fault("1e999"), "column 1: the number is too large or too small");
  EXPECT_EQ(fault("1 +"), "column 4: a value is missing at the end");
  EXPECT_EQ(fault(""), "column 1: a value is missing at the end");
  EXPECT_EQ(fault("1 * )"), "column 5: a value is missing before \")\"");
  EXPECT_EQ(fault("1 2"), "column 3: \"2\" is not expected here");
  EXPECT_EQ(fault("1 mn"), "column 3: mn is not a unit (nearest: mm)");
  EXPECT_EQ(fault("4.4 - 0.1j"),
            "column 10: j is not a unit (a complex number is a list, [real, imaginary])");
  EXPECT_EQ(fault("mm*2"), "column 1: mm is a unit, which must follow a number: 1 mm");
  EXPECT_EQ(fault("2 pi"), "column 3: an operator is missing before pi");
  EXPECT_EQ(fault("p1"), "column 1: there is no variable p1 (nearest: pi)");
  EXPECT_EQ(fault("1 mm + 1 GHz"), "column 6: m + Hz: the units differ");
  EXPECT_EQ(fault("1 + 1 mm"), "column 3: a plain number + m: the units differ");
  EXPECT_EQ(fault("exp(1 mm)"), "column 1: exp() takes a plain number, not m");
  EXPECT_EQ(fault("2^(1 mm)"), "column 2: the exponent is in m, it must be a plain number");
  EXPECT_EQ(fault("hypot(1)"), "column 1: hypot() takes 2 arguments, 1 is given");
  EXPECT_EQ(fault(std::string(300, '(')), "column 101: too many nested parentheses or signs");
}

TEST(Expression, EveryUnitOfTheTablesIsKnown) {
  for (const auto* key : schema::keys_of("")) {
    const std::string unit(key->unit);
    const bool is_own = unit.empty() || unit.starts_with("(") || unit == "any" || unit == "wavelengths" ||
                        unit.starts_with("mesh.unit");
    EXPECT_TRUE(is_own || parse_unit(unit)) << key->path << ": " << unit;
  }
}

// ---- in a config ----

Config evaluated(const std::string& toml, const std::string& program = "fem-solve") {
  Config config = Config::parse(toml, "a.toml");
  config.evaluate(program);
  return config;
}

std::string refusal(const std::string& toml, const std::string& program = "fem-solve") {
  return test::message_of<InputError>([&] { evaluated(toml, program); });
}

TEST(ConfigExpressions, AreNumbersInTheUnitOfTheirKey) {
  const Config config = evaluated(R"toml(
[variables]
w = "1.6 mm"
half = "w/2 + 0.1 mm"
n = 3
[mesh]
file = "sin(1)"
unit = "mm"
size = "lambda/4"
parameters = { w = "w", ratio = "w/half", count = "n + 1" }
[frequency]
values = ["2.45 GHz", 1e9]
[[pml]]
center = ["w", 0, "-half"]
thickness = "half"
layers = "2*n"
[[excitation]]
theta = "pi/4 * 1 rad"
polarization = ["theta", "30 deg"]
phi = [1, "acos(0)"]
[[material]]
epsilon_r = ["2*n", "-0.1*n"]
conductivity = "0.5 mS/cm"
[output.far_field]
theta = [0, "pi/2 * 1 rad", "30*n + 1"]
[bloch]
wave_vector = ["2*pi/lambda", 0, "10 deg/mm"]
)toml");

  EXPECT_NEAR(config.table("mesh").get<double>("size"), speed_of_light / 2.45e9 / 4 * 1e3, 1e-12);
  EXPECT_EQ(config.table("mesh").get<std::string>("file"), "sin(1)") << "a text";
  EXPECT_EQ(config.table("mesh").table("parameters").get<double>("w"), 1.6);
  EXPECT_DOUBLE_EQ(config.table("mesh").table("parameters").get<double>("ratio"), 1.6 / 0.9);
  EXPECT_EQ(config.table("mesh").table("parameters").get<double>("count"), 4);
  EXPECT_EQ(config.table("frequency").get<std::vector<double>>("values"), (std::vector<double>{2.45e9, 1e9}));
  const Config pml = config.tables("pml")[0], wave = config.tables("excitation")[0];
  EXPECT_EQ(pml.get<Vec3<double>>("center").x, 1.6);
  EXPECT_EQ(pml.get<Vec3<double>>("center").z, -0.9);
  EXPECT_EQ(pml.integer_in("layers", 1, 20), 6);
  EXPECT_EQ(wave.get<double>("theta"), 45);
  EXPECT_EQ(wave.get<std::vector<double>>("phi"), (std::vector<double>{1, 90}));
  EXPECT_EQ(config.tables("material")[0].get<Complex>("epsilon_r"), Complex(6, -0.1 * 3));
  EXPECT_EQ(config.tables("material")[0].get<double>("conductivity"), 0.05);
  EXPECT_EQ(config.table("output").table("far_field").get<std::vector<double>>("theta"),
            (std::vector<double>{0, 90, 91}));
  const auto k = config.table("bloch").get<Vec3<double>>("wave_vector");
  EXPECT_NEAR(k.x, 2 * pi * 2.45e9 / speed_of_light, 1e-9);
  EXPECT_NEAR(k.z, pi / 18 * 1e3, 1e-9);
}

TEST(ConfigExpressions, ResolvedTextReadsBackTheSame) {
  const Config config = evaluated(
      "[variables]\nw = \"3.3 mil\"\nf = \"10 GHz\"\n[mesh]\nunit = \"um\"\nsize = "
      "\"w/3\"\n[frequency]\nvalues = "
      "\"f\"\n");
  const Config again = evaluated(config.to_toml());

  EXPECT_EQ(again.to_toml(), config.to_toml());
  EXPECT_DOUBLE_EQ(again.table("mesh").get<double>("size"), 27.94);
  EXPECT_EQ(again.table("frequency").get<double>("values"), 1e10);
}

TEST(ConfigExpressions, OptionsHoldThemToo) {
  Config config = Config::parse("[variables]\nw = \"1 mm\"\n[mesh]\nunit = \"mm\"\nsize = \"w\"\n", "a.toml");
  Config copy = config.clone();
  copy.set("variables.w", "2 mm", "--sweep");
  copy.set("mesh.parameters.gap", "w/4");
  copy.evaluate("fem-solve");
  config.evaluate("fem-solve");

  EXPECT_EQ(copy.table("mesh").get<double>("size"), 2);
  EXPECT_EQ(copy.table("mesh").table("parameters").get<double>("gap"), 0.5);
  EXPECT_EQ(config.table("mesh").get<double>("size"), 1);
}

TEST(ConfigExpressions, LambdaFollowsTheFrequenciesOfAnOption) {
  Config config = Config::parse(
      "[mesh]\nsize = \"lambda\"\n[frequency]\nstart = \"1 GHz\"\nstop = \"3 GHz\"\npoints = 3\n", "a.toml");
  config.set("frequency.values", "2 GHz");
  config.evaluate("fem-solve");

  EXPECT_DOUBLE_EQ(config.table("mesh").get<double>("size"), speed_of_light / 2e9);
}

TEST(ConfigExpressions, SayPlaceKeyFoundAndExpectedUnit) {
  EXPECT_EQ(refusal("[frequency]\nstart = 1e9\nstop = \"3 mm\"\n"),
            "a.toml:3: frequency: stop = \"3 mm\" is in m, must be in Hz");
  EXPECT_EQ(refusal("[mesh]\nunit = \"mm\"\nsize = \"2 GHz\"\n"),
            "a.toml:3: mesh: size = \"2 GHz\" is in Hz, must be in mm");
  EXPECT_EQ(refusal("[mesh]\nunit = \"mm\"\nsize = \"(4 mm)/(2 mm)\"\n"),
            "a.toml:3: mesh: size = \"(4 mm)/(2 mm)\" is a ratio without unit, must be in mm");
  EXPECT_EQ(
      refusal("[[periodic]]\nphase = \"2*pi*(1 mm)/(2 mm)\"\n"),
      "a.toml:2: periodic 1: phase = \"2*pi*(1 mm)/(2 mm)\" is a ratio without unit, must be in degrees");
  EXPECT_EQ(refusal("[[material]]\n[[material]]\nepsilon_r = [2, \"1 mm\"]\n"),
            "a.toml:3: material 2: epsilon_r = \"1 mm\" is in m, must be a plain number");
  EXPECT_EQ(refusal("[mesh]\nunit = \"wavelength\"\n[[contour]]\nradius = \"1 mm\"\n", "mom2d"),
            "a.toml:4: contour 1: radius = \"1 mm\" is in m, must be wavelengths (a plain number)");
  EXPECT_EQ(refusal("[mesh]\nparameters = { a = \"1 Hz\" }\n"),
            "a.toml:2: mesh.parameters: a = \"1 Hz\" is in Hz, must be in m");
}

TEST(ConfigExpressions, RefuseVariablesThatAreNot) {
  EXPECT_EQ(refusal("[variables]\nwidth = 1\n[mesh]\nsize = \"2*widht\"\n"),
            "a.toml:4: mesh: size = \"2*widht\": column 3: there is no variable widht (nearest: width)");
  EXPECT_EQ(refusal("[variables]\na = \"b\"\nb = \"c + 1\"\nc = \"2*a\"\n"),
            "a.toml:2: variables: a is defined by itself: a -> b -> c -> a");
  EXPECT_EQ(refusal("[variables]\npi = 3\n"),
            "a.toml:2: variables: pi is reserved: give the variable another name");
  EXPECT_EQ(refusal("[variables]\nlambda = 3\n"),
            "a.toml:2: variables: lambda is reserved: give the variable another name");
  EXPECT_EQ(refusal("[variables]\n2a = 3\n"),
            "a.toml:2: variables: \"2a\" is not a name: use letters, digits and _, beginning with a letter");
  EXPECT_EQ(refusal("[variables]\na = [1, 2]\n"),
            "a.toml:2: variables: a = [ 1, 2 ] must be a finite number or an expression in quotes");
  EXPECT_EQ(refusal("[variables]\nm = 2\nx = \"3 V/m\"\n"),
            "a.toml:3: variables: x = \"3 V/m\": column 5: m is a unit and a variable: put the number with "
            "its unit "
            "in parentheses, or rename the variable");
  EXPECT_EQ(refusal("[mesh]\nsize = \"lambda\"\n"),
            "a.toml: lambda is c0 over the highest frequency: [frequency] or analysis.target is needed");
  EXPECT_EQ(refusal("[frequency]\nvalues = \"c0/lambda\"\n"),
            "a.toml: variables: lambda is defined by itself: lambda -> lambda");
}

TEST(ConfigExpressions, RefuseOptionsThatNothingUses) {
  Config config = Config::parse("[variables]\nw = 1\n[mesh]\nsize = \"w\"\n", "a.toml");
  config.set("variables.W", "2", "--sweep");
  try {
    config.evaluate("fem-solve");
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()), "--sweep variables.W=2: variables: no expression uses W (used: w)");
  }
}

TEST(ConfigExpressions, ErrorsOfReadersNameTheTextAndTheLine) {
  const Config config = evaluated("[mesh]\n\nsize = \"1 - 2\"\n").clone();
  try {
    config.table("mesh").positive("size");
    ADD_FAILURE();
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()), "a.toml:3: mesh: size = -1 must be greater than 0 (size = \"1 - 2\")");
  }
}

}  // namespace
}  // namespace curlew::io
