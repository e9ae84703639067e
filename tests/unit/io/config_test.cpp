// SPDX-License-Identifier: BSD-3-Clause
#include "io/config.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "io/nearest.hpp"
#include "temp_folder.hpp"

namespace curlew::io {
namespace {

const std::string iris = R"(title = "iris"
[mesh]
file = "iris.geo"
unit = "mm"
parameters = { gap = 1.2 }
[frequency]
values = [1e9, 2e9]
[[material]]
region = "air"
epsilon_r = 1
[[material]]
region = ["slab", "lid"]
epsilon_r = [2.5, -0.1]
[[boundary]]
region = "walls"
type = "pec"
[[boundary]]
region = "wals"
type = "pce"
)";

Config make() {
  return Config::parse(iris, "configs/iris.toml");
}

template <class F>
std::string error_of(F&& call) {
  return test::message_of<InputError>(std::forward<F>(call));
}

TEST(Config, ReadsEveryType) {
  const Config config = Config::parse(R"(
b = true
i = 3
d = 2
whole = 1e3
s = "text"
z = [1, -2.5]
v = [1, 2, 3]
list = [1, 2.5]
words = ["a", "b"]
tensor = [[1, 0, 0], [0, [2, -1], 0], [0, 0, 3]]
points = [[0, 0, 1], [1, 2, 3]]
rows = [[1], [2, 3]]
)");

  EXPECT_TRUE(config.get<bool>("b"));
  EXPECT_EQ(config.get<int>("i"), 3);
  EXPECT_EQ(config.get<int>("whole"), 1000);
  EXPECT_EQ(config.get<long>("i"), 3L);
  EXPECT_EQ(config.get<double>("d"), 2.0);
  EXPECT_EQ(config.get<std::string>("s"), "text");
  EXPECT_EQ(config.get<Complex>("z"), Complex(1, -2.5));
  EXPECT_EQ(config.get<Complex>("d"), Complex(2, 0));
  EXPECT_EQ(config.get<Vec3<double>>("v"), (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(config.get<std::vector<double>>("list"), (std::vector<double>{1, 2.5}));
  EXPECT_EQ(config.get<std::vector<double>>("d"), (std::vector<double>{2}));
  EXPECT_EQ(config.get<std::vector<std::string>>("words"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(config.get<std::vector<std::string>>("s"), (std::vector<std::string>{"text"}));
  EXPECT_EQ(config.get<Tensor3>("tensor"), (Tensor3{1, 0, 0, 0, Complex(2, -1), 0, 0, 0, 3}));
  EXPECT_EQ(config.get<Tensor3>("v"), (Tensor3{1, 0, 0, 0, 2, 0, 0, 0, 3}));
  EXPECT_EQ(config.get<Tensor3>("z"),
            (Tensor3{Complex(1, -2.5), 0, 0, 0, Complex(1, -2.5), 0, 0, 0, Complex(1, -2.5)}));
  EXPECT_EQ(config.get<std::vector<Vec3<double>>>("points").size(), 2U);
  EXPECT_EQ(config.get<std::vector<Vec3<double>>>("v").size(), 1U);
  EXPECT_EQ(config.get<std::vector<std::vector<double>>>("rows")[1][1], 3.0);
  EXPECT_EQ(config.kind("z"), Config::Kind::array);
  EXPECT_EQ(config.kind("nothing"), Config::Kind::missing);
}

TEST(Config, ErrorsNamePlaceTableAndWhatWouldBeRight) {
  const Config config = make();
  const auto second = config.tables("boundary").at(1);

  EXPECT_EQ(error_of([&] { second.error("region", "region \"wals\" is not in iris.msh"); }),
            "configs/iris.toml:18: boundary 2: region \"wals\" is not in iris.msh");
  EXPECT_EQ(
      error_of([&] {
        second.choice("type", {"pec", "pmc", "absorbing"});
      }),
      "configs/iris.toml:19: boundary 2: type = \"pce\" must be one of pec, pmc, absorbing (nearest: pec)");
  EXPECT_EQ(error_of([&] { config.table("mesh").get<double>("unit"); }),
            "configs/iris.toml:4: mesh: unit = 'mm' must be a finite number");
  EXPECT_EQ(error_of([&] { config.table("mesh").get<double>("size"); }),
            "configs/iris.toml:2: mesh: key \"size\" is missing: a finite number is needed");
  EXPECT_EQ(error_of([&] { config.table("title"); }),
            "configs/iris.toml:1: title must be a table, not 'iris'");
  EXPECT_EQ(error_of([&] { config.tables("title"); }),
            "configs/iris.toml:1: title must be a list of tables, [[title]], not 'iris'");
  EXPECT_EQ(error_of([&] { config.table("mesh").table("parameters").get<int>("gap"); }),
            "configs/iris.toml:5: mesh.parameters: gap = 1.2 must be a whole number below 2^31");
}

TEST(Config, MisspeltRequiredKeyIsNamed) {
  const Config config = Config::parse("[mesh]\nunti = \"mm\"\n", "a.toml");

  EXPECT_EQ(error_of([&] { config.table("mesh").get<std::string>("unit"); }),
            "a.toml:1: mesh: key \"unit\" is missing: \"unti\" is not a known key, did you mean unit?");
}

TEST(Config, RejectsWhatIsNotFinite) {
  const Config config = Config::parse("a = nan\nb = [1, inf]\n", "a.toml");

  EXPECT_EQ(error_of([&] { config.get<double>("a"); }), "a.toml:1: a = nan must be a finite number");
  EXPECT_EQ(error_of([&] { config.get<std::vector<double>>("b"); }),
            "a.toml:2: b = [ 1, inf ] must be a finite number, or a list of such");
  EXPECT_EQ(error_of([&] { config.get<Complex>("b"); }),
            "a.toml:2: b = [ 1, inf ] must be a finite number or [re, im]");
  EXPECT_NE(error_of([&] { config.get<int>("a"); }), "nothing");
}

TEST(Config, RangesOfNumbers) {
  const Config config = Config::parse("size = -1\norder = 4\n", "a.toml");

  EXPECT_EQ(error_of([&] { config.positive("size"); }), "a.toml:1: size = -1 must be greater than 0");
  EXPECT_EQ(error_of([&] { config.integer_in("order", 1, 3); }),
            "a.toml:2: order = 4 must be a whole number from 1 to 3");
  EXPECT_EQ(config.integer_in_or("points", 1, 3, 2), 2);
  EXPECT_EQ(config.positive_or("length", 0.5), 0.5);
}

TEST(Config, UnknownKeysAreErrorsWithTheNearestKnownKey) {
  const Config config = Config::parse("title = \"t\"\n[mesh]\nordr = 2\nfile = \"a\"\n[solvr]\n", "a.toml");
  config.allow({"title", "solver"});
  const auto mesh = config.table("mesh");
  static_cast<void>(mesh.get<std::string>("file"));
  static_cast<void>(mesh.get_or<int>("order", 1));

  EXPECT_EQ(error_of([&] { config.check_unknown_keys(); }),
            "a.toml:3: mesh: unknown key \"ordr\" (nearest known: \"order\")");
  static_cast<void>(mesh.has("ordr"));
  EXPECT_EQ(error_of([&] { config.check_unknown_keys(); }),
            "a.toml:5: unknown key \"solvr\" (nearest known: \"solver\")");
}

TEST(Config, UnknownKeysInListsAndInAllowedTables) {
  const Config config =
      Config::parse("[[port]]\nmodes = 1\n[[port]]\nmods = 1\n[solver]\nanything = 1\n", "a.toml");
  config.allow({"solver"});
  for (const auto& port : config.tables("port")) static_cast<void>(port.get_or<int>("modes", 1));

  EXPECT_EQ(error_of([&] { config.check_unknown_keys(); }),
            "a.toml:4: port 2: unknown key \"mods\" (nearest known: \"modes\")");
}

TEST(Config, FreeTablesGiveTheirKeys) {
  const Config config = make();

  EXPECT_EQ(config.table("mesh").table("parameters").keys(), (std::vector<std::string>{"gap"}));
  EXPECT_TRUE(config.table("nothing").keys().empty());
}

TEST(Config, SetReachesValuesTablesAndLists) {
  Config config = make();

  config.set("frequency.values", "[3e9]");
  config.set("mesh.parameters.gap", ".5");
  config.set("material.0.epsilon_r", "4");
  config.set("solver.method", "gmres");
  config.set("solver.direct.ordering", "\"quoted\"");

  EXPECT_EQ(config.table("frequency").get<std::vector<double>>("values"), (std::vector<double>{3e9}));
  EXPECT_EQ(config.table("mesh").table("parameters").get<double>("gap"), 0.5);
  EXPECT_EQ(config.tables("material")[0].get<double>("epsilon_r"), 4.0);
  EXPECT_EQ(config.table("solver").get<std::string>("method"), "gmres");
  EXPECT_EQ(config.table("solver").table("direct").get<std::string>("ordering"), "quoted");
}

TEST(Config, ErrorsAboutSetValuesNameTheOption) {
  Config config = make();
  config.set("boundary.1.region", "wals");
  config.set("mesh.size", "big");

  EXPECT_EQ(error_of([&] { config.tables("boundary")[1].error("region", "no such region"); }),
            "--set boundary.1.region=wals: boundary 2: no such region");
  EXPECT_EQ(error_of([&] { config.table("mesh").get<double>("size"); }),
            "--set mesh.size=big: mesh: size = 'big' must be a finite number");
}

TEST(Config, SetRefusesPathsThatLeadNowhere) {
  Config config = make();

  EXPECT_EQ(error_of([&] { config.set("material.7.epsilon_r", "2"); }),
            "--set material.7.epsilon_r=2: material is a list of 2, counted from 0: it has no entry \"7\"");
  EXPECT_EQ(error_of([&] { config.set("title.inner.x", "2"); }),
            "--set title.inner.x=2: title is a value, it has no \"inner\"");
  EXPECT_EQ(error_of([&] { config.set("title.inner", "2"); }),
            "--set title.inner=2: title is a value, it has no \"inner\"");
  EXPECT_EQ(error_of([&] { config.set("mesh..size", "2"); }),
            "--set mesh..size=2: the path must be like mesh.size or material.0.epsilon_r");
  EXPECT_NE(error_of([&] { config.set("mesh.size", "[1, 2"); }).find("not a TOML value"), std::string::npos);
}

TEST(Config, ResolvedConfigHoldsDefaultsAndReadsBack) {
  Config config = make();
  config.set("mesh.size", "0.1");
  static_cast<void>(config.table("solver").get_or<double>("tolerance", 1e-9));
  static_cast<void>(
      config.table("output").table("far_field").get_or<std::vector<double>>("theta", {0, 180, 181}));
  static_cast<void>(config.tables("material")[1].get_or<Tensor3>("mu_r", Tensor3{1, 0, 0, 0, 1, 0, 0, 0, 1}));
  static_cast<void>(config.tables("material")[0].get_or<Complex>("extra", Complex(1, -0.1)));

  EXPECT_FALSE(config.table("solver").has("tolerance"));
  const Config again = Config::parse(config.to_toml(), "resolved.toml");
  EXPECT_EQ(again.table("mesh").get<double>("size"), 0.1);
  EXPECT_EQ(again.table("solver").get<double>("tolerance"), 1e-9);
  EXPECT_EQ(again.table("output").table("far_field").get<std::vector<double>>("theta")[2], 181);
  EXPECT_EQ(again.tables("material")[1].get<double>("mu_r"), 1.0);
  EXPECT_EQ(again.tables("material")[0].get<Complex>("extra"), Complex(1, -0.1));
  EXPECT_EQ(again.to_toml(), Config::parse(again.to_toml()).to_toml());
}

TEST(Config, NumbersSurviveWritingExactly) {
  const Config config = Config::parse("a = 0.1\nb = 2.9036049999999998e9\nc = 1e-300\n");
  const Config again = Config::parse(config.to_toml());

  for (const auto* key : {"a", "b", "c"}) EXPECT_EQ(again.get<double>(key), config.get<double>(key));
}

TEST(Config, CloneIsIndependent) {
  const Config config = make();
  Config copy = config.clone();
  copy.set("mesh.unit", "m");

  EXPECT_EQ(config.table("mesh").get<std::string>("unit"), "mm");
  EXPECT_EQ(copy.table("mesh").get<std::string>("unit"), "m");
  EXPECT_NE(copy.inputs_toml(), config.inputs_toml());
}

TEST(Config, FilesThatCannotBeRead) {
  const test::TempFolder folder;

  EXPECT_NE(
      error_of([&] { Config::load(folder / "none.toml"); }).find("none.toml: cannot be read (No such file"),
      std::string::npos);
  EXPECT_NE(error_of([&] { Config::load(folder.path().string()); }).find("cannot be read (Is a directory)"),
            std::string::npos);
  EXPECT_EQ(
      error_of([&] { Config::parse("a = 1\nb = = 2\n", "a.toml"); }).rfind("a.toml:2: not valid TOML: ", 0),
      0U);
  EXPECT_EQ(
      error_of([&] { Config::parse("a = 1\na = 2\n", "a.toml"); }).rfind("a.toml:2: not valid TOML: ", 0),
      0U);
}

/// Habits of other programs' files; each line names the cure behind the reason.
TEST(Config, LinesThatAreNoTomlHaveACure) {
  const std::pair<const char*, const char*> lines[] = {
      {"unit = mm", "text must be in quotes"},
      {"region = [air, board]", "text must be in quotes"},
      {"size = 1,5", "decimal point, not a comma"},
      {"size = 1.5 mm", "is a text in quotes: \"2.5 mm\""},
      {"values = [10e9Hz]", "is a text in quotes"},
      {"stop = 2 * 5e9", "is a text in quotes"},
      {"size = .5", "0.5, 5.0"},
      {"size = 5.", "0.5, 5.0"},
      {"layers = 02", "leave zeros"},
      {"excite = True", "write true"},
      {"fields = no", "write false"},
      {"size = 1;", "leave the ; out"},
      {"// a guide", "a comment begins with #"},
      {"% a guide", "a comment begins with #"},
      {"size: 3", "not :"},
      {"size == 3", "one ="},
      {"file = \"C:\\users\\a.geo\"", "single quotes"},
      {"unit = 'mm", "close the quotes"},
      {"{\"Problem\": {\"Type\": \"Driven\"}}", "not JSON"},
      {"[x]", "write a table once"},
      {"[[x]]", "[[port]]"},
  };
  for (const auto& [line, cure] : lines) {
    const auto error = error_of([&] { Config::parse("[x]\n" + std::string(line) + "\n", "a.toml"); });
    EXPECT_EQ(error.rfind("a.toml:2: not valid TOML: ", 0), 0U) << line << ": " << error;
    EXPECT_NE(error.find(cure), std::string::npos) << line << ": " << error;
  }
}

TEST(Config, OddLettersAndNumbersEndInOneLine) {
  for (const char* text : {"\u00FC = 1\n", "a = \u3042\n", "a = 1 \u0411\n", "a = [1, \uFEF0]\n"})
    EXPECT_EQ(error_of([&] { Config::parse(text, "a.toml"); }).rfind("a.toml:1: not valid TOML: ", 0), 0U)
        << text;
  EXPECT_EQ(Config::parse("a = \"\"\"x \\\n  \u00FC\"\"\"\n").get<std::string>("a"), "x \u00FC");
  EXPECT_EQ(error_of([] { Config::parse("a = [1, -9223372036854775808]\n", "a.toml"); }),
            "a.toml: integers must be above -9223372036854775808");
  Config config = Config::parse("a = 1\n");
  EXPECT_EQ(error_of([&] { config.set("a", "-9223372036854775808"); }),
            "--set a=-9223372036854775808: integers must be above -9223372036854775808");
  config.set("a", "[0.001, -1e-300, nan, inf]");
  EXPECT_NE(config.to_toml().find("0.001"), std::string::npos);
}

/// Paths such as mesh.size cannot name them.
TEST(Config, RefusesKeysWithoutAName) {
  EXPECT_EQ(error_of([] { Config::parse("x = 1\n[['']]\ny = 1\n", "a.toml"); }),
            "a.toml:2: keys must have a name, not \"\"");
  auto config = Config::parse("x = 1\n", "a.toml");
  EXPECT_EQ(error_of([&] { config.set("mesh", "{\"\" = 1}"); }),
            "--set mesh={\"\" = 1}: keys must have a name, not \"\"");
}

TEST(Config, PathsAreRelativeToTheConfig) {
  EXPECT_EQ(make().resolve_path("iris.geo"), "configs/iris.geo");
  EXPECT_EQ(make().resolve_path("../meshes/iris.geo"), "meshes/iris.geo");
  EXPECT_EQ(make().resolve_path("/abs/iris.geo"), "/abs/iris.geo");
}

TEST(Nearest, CountsSwapsAsOne) {
  EXPECT_EQ(edit_distance("unti", "unit"), 1);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(nearest_word("tolerence", {"method", "tolerance", "type"}), "tolerance");
  EXPECT_EQ(nearest_word("x", {}), "");
}

}  // namespace
}  // namespace curlew::io
