// SPDX-License-Identifier: BSD-3-Clause
// Expressions in configs, from the command line: the same results as with numbers, one line for every
// mistake.
#include <cmath>
#include <string>

#include "base/constants.hpp"
#include "io/csv.hpp"
#include "run_summary.hpp"

namespace curlew::test {
namespace {

/// A circle in 2D; r in metres as an expression of the variables.
constexpr const char* circle = R"toml(
[variables]
f = "300 MHz"
r = "20 cm"
[frequency]
values = "f"
[[contour]]
type = "circle"
radius = "r"
cells = 12
[[boundary]]
region = "contour1"
type = "pec"
[output]
far_field = { phi = [0, "pi * 1 rad", "2 + 1"] }
)toml";

class Expressions : public SummaryTest {
 protected:
  std::string echo_width(const std::string& folder) const {
    return io::read_csv(path(folder + "/echo_width.csv")).text.at("width_m").at(0);
  }
};

TEST_F(Expressions, GiveTheResultsOfTheirNumbers) {
  std::string numbers = circle;
  for (const auto& [text, number] : {std::pair{"\"300 MHz\"", "3e8"}, {"\"20 cm\"", "0.2"}})
    numbers.replace(numbers.find(text), std::string(text).size(), number);
  write("a.toml", circle);
  write("b.toml", numbers);

  const Ended a = run("mom2d a.toml -o a"), b = run("mom2d b.toml -o b"),
              again = run("mom2d a/resolved.toml -o c");

  ASSERT_EQ(a.status, 0) << a.err;
  ASSERT_EQ(b.status, 0) << b.err;
  ASSERT_EQ(again.status, 0) << again.err;
  EXPECT_EQ(echo_width("a"), echo_width("b"));
  EXPECT_EQ(echo_width("c"), echo_width("a"));
}

TEST_F(Expressions, SweepOverVariables) {
  write("a.toml", circle);

  const Ended swept =
                  run("mom2d a.toml --sweep 'variables.r=10:30 cm:3' --set 'output.far_field.phi=[0, \"90 "
                      "deg\", 2]' -o s"),
              one = run("mom2d a.toml --set contour.0.radius=r/2 -o one");

  ASSERT_EQ(swept.status, 0) << swept.err;
  ASSERT_EQ(one.status, 0) << one.err;
  EXPECT_EQ(io::read_csv(path("s/sweep.csv")).text.at("r"),
            (std::vector<std::string>{"10 cm", "20 cm", "30 cm"}));
  EXPECT_EQ(echo_width("s/point_0001"), echo_width("one"));
  EXPECT_NE(echo_width("s/point_0002"), echo_width("one"));
}

TEST_F(Expressions, AreRefusedInOneLine) {
  write("a.toml", circle);
  const auto refusal = [&](const std::string& set) {
    const Ended ended = run("mom2d a.toml -o a --set '" + set + "'");
    EXPECT_EQ(ended.status, 2) << set;
    return ended.err;
  };

  EXPECT_EQ(refusal("frequency.values=3 mm"),
            "mom2d: --set frequency.values=3 mm: frequency: values = \"3 mm\" is in m, must be in Hz\n");
  EXPECT_EQ(
      refusal("variables.r=q"),
      "mom2d: --set variables.r=q: variables: r = \"q\": column 1: there is no variable q (nearest: f)\n");
  EXPECT_EQ(refusal("variables.r=2*r"),
            "mom2d: --set variables.r=2*r: variables: r is defined by itself: r -> r\n");
  EXPECT_EQ(refusal("variables.r=(1 mm"),
            "mom2d: --set variables.r=(1 mm: variables: r = \"(1 mm\": column 1: this "
            "parenthesis is not closed\n");
  EXPECT_EQ(refusal("variables.x=1"),
            "mom2d: --set variables.x=1: variables: no expression uses x (used: f, r)\n");
  EXPECT_EQ(refusal("variables.r=1 mm/0"),
            "mom2d: --set variables.r=1 mm/0: variables: r = \"1 mm/0\": column 5: "
            "division by zero\n");
  EXPECT_EQ(refusal("contour.0.radius=-r"),
            "mom2d: --set contour.0.radius=-r: contour 1: radius = -0.2 must be greater than 0 (radius = "
            "\"-r\")\n");
  EXPECT_FALSE(exists("a"));
}

TEST_F(Expressions, ReachTheParametersOfAGeometry) {
  write("box.geo",
        "SetFactory(\"OpenCASCADE\"); DefineConstant[ w = 1, n = 1 ];\n"
        "Box(1) = {0, 0, 0, n*w, w, w}; Physical Volume(\"air\") = {1}; Physical Surface(\"walls\") = "
        "{1:6};\n");
  write("a.toml",
        "[variables]\na = \"1 inch\"\n[mesh]\nfile = \"box.geo\"\nunit = \"mm\"\nsize = \"a/2\"\n"
        "parameters = { w = \"a\", n = \"sqrt(4)\" }\n[space]\norder = 1\n[analysis]\ntype = "
        "\"eigen\"\nmodes = 1\n"
        "[[material]]\nregion = \"air\"\n[[boundary]]\nregion = \"walls\"\ntype = \"pec\"\n");

  const Ended ended = run("fem-solve a.toml -o a");

  ASSERT_EQ(ended.status, 0) << ended.err;
  const auto summary = this->summary("a");
  const double side = 0.0254, exact = speed_of_light / 2 * std::sqrt(1.25) / side;  // 2 by 1 by 1 inch
  EXPECT_NEAR(summary["results"]["modes"][0]["frequency_hz"].get<double>(), exact, 0.1 * exact);
}

}  // namespace
}  // namespace curlew::test
