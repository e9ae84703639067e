// SPDX-License-Identifier: BSD-3-Clause
// The tables of keys: consistent, used by the sources, and able to detect deviations.
#include "io/schema/schema.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>

#include "base/error.hpp"
#include "io/atomic_file.hpp"
#include "io/config.hpp"
#include "io/frequency.hpp"
#include "io/ranges.hpp"
#include "io/schema/check.hpp"
#include "io/schema/old_spellings.hpp"
#include "message_of.hpp"
#include "test_paths.hpp"

namespace curlew::io::schema {
namespace {

std::vector<std::string> programs() {
  std::istringstream names{std::string(all_programs)};
  std::vector<std::string> list;
  for (std::string name; names >> name;) list.push_back(name);
  return list;
}

/// The message of an InputError, or "nothing".
std::string refusal(const std::string& toml, const std::string& program) {
  return test::message_of<InputError>([&] { Config::parse(toml, "a.toml").check_schema(program); });
}

TEST(Schema, EveryKeyIsDeclaredOncePerProgram) {
  for (const auto& program : programs()) {
    std::set<std::string> seen;
    for (const Key* key : keys_of(program))
      EXPECT_TRUE(seen.insert(plain_path(key->path)).second) << program << ": " << key->path;
  }
}

TEST(Schema, EveryKeyIsComplete) {
  for (const Key* key : keys_of("")) {
    EXPECT_FALSE(key->help.empty()) << key->path;
    EXPECT_FALSE(key->help.ends_with('.')) << key->path;
    std::istringstream names{std::string(key->programs)};
    for (std::string name; names >> name;) EXPECT_TRUE(knows_program(name)) << key->path << ": " << name;
    EXPECT_EQ(key->type == Type::word && words_of(*key).empty(), false) << key->path;
    if (const auto fallback = toml_default(*key); !fallback.empty()) {
      EXPECT_NO_THROW(Config::parse("value = " + std::string(fallback))) << key->path << ": " << fallback;
      if (key->type == Type::word) {
        const auto words = words_of(*key);
        const std::string word(fallback.substr(1, fallback.size() - 2));
        EXPECT_NE(std::find(words.begin(), words.end(), word), words.end()) << key->path;
      }
    }
  }
}

TEST(Schema, SourcesStillReadEveryKey) {
  std::string sources;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(test::source_dir() + "/src")) {
    const std::string path = entry.path().string();
    if (entry.path().extension() == ".cpp" && path.find("/io/schema/") == std::string::npos)
      sources += read_text_file(path);
  }

  // For keys that readers take as objects: the path of each object by its C++ name.
  std::map<std::string, std::string> objects;
  const std::string typed = read_text_file(test::source_dir() + "/src/io/schema/mom2d_keys.hpp");
  const std::regex declared("> ([a-z_]+)\\{\\s*\"([^\"]+)\"");
  for (std::sregex_iterator at(typed.begin(), typed.end(), declared), end; at != end; ++at)
    objects[(*at)[2]] = (*at)[1];

  for (const Key* key : keys_of("")) {
    const std::string plain = plain_path(key->path), name = plain.substr(plain.rfind('.') + 1);
    if (name == "*") continue;
    const auto object = objects.find(std::string(key->path));
    const std::string reads = object == objects.end() ? "\"" + name + "\"" : "::" + object->second;
    EXPECT_NE(sources.find(reads), std::string::npos) << key->path << " is declared, but no source names it";
  }
}

TEST(Schema, JsonSchemaHoldsTypesRangesAndDefaults) {
  for (const auto& program : programs())
    EXPECT_NO_THROW(nlohmann::json::parse(as_json_schema(program))) << program;
  const auto fem = nlohmann::json::parse(as_json_schema("fem-solve"));

  const auto& mesh = fem["properties"]["mesh"];
  EXPECT_EQ(mesh["required"], nlohmann::json::parse("[\"file\"]"));
  EXPECT_EQ(mesh["additionalProperties"], false);
  EXPECT_EQ(mesh["properties"]["size"]["exclusiveMinimum"], 0);
  EXPECT_EQ(mesh["properties"]["parameters"]["additionalProperties"]["type"],
            nlohmann::json::parse("[\"number\", \"string\"]"));
  const auto& port = fem["properties"]["port"]["anyOf"];
  EXPECT_EQ(port[0]["properties"]["modes"]["maximum"], 100);
  EXPECT_EQ(port[0]["properties"]["excite"]["default"], false);
  EXPECT_EQ(port[1]["items"], port[0]);
  EXPECT_EQ(fem["properties"]["solver"]["properties"]["method"]["enum"][0], "auto");
  EXPECT_FALSE(fem["properties"].contains("truncation"));
  EXPECT_EQ(fem["properties"]["output"]["properties"]["frequencies"]["anyOf"][1]["type"], "array");
}

TEST(Schema, TextNamesUnitRangeAndDefault) {
  const std::string text = as_text("fe-iiee");

  EXPECT_NE(
      text.find("truncation.distance: number [wavelengths], (0 < d <= 1), default (surfaces of the mesh)\n"
                "    distance from the body to the outer surface"),
      std::string::npos);
  EXPECT_EQ(text.find("contour[]"), std::string::npos);
}

TEST(Schema, KeysOfExpertsComeLast) {
  const std::string text = as_text("fem-solve");

  const auto begin = text.find("\nFor special cases, and if you know the methods:\n");
  ASSERT_NE(begin, std::string::npos);
  for (const Key* key : keys_of("fem-solve")) {
    const auto at = ("\n" + text).find(fmt::format("\n{}: ", key->path));
    ASSERT_NE(at, std::string::npos) << key->path;
    if (key->path.starts_with("solver.expert.")) {
      EXPECT_GT(at, begin) << key->path;
    }
    if (key->path == "solver.method") {
      EXPECT_LT(at, begin);
    }
  }
}

TEST(Schema, OldSpellingsLeadToKeysThatAreThere) {
  for (const auto& old : old_spellings()) {
    EXPECT_EQ(find_key(plain_path(old.path), ""), nullptr) << old.path;
    EXPECT_FALSE(is_table(plain_path(old.path), "")) << old.path;
    EXPECT_EQ(old.now.empty(), !old.why.empty()) << old.path;
    if (!old.now.empty()) {
      EXPECT_NE(find_key(plain_path(old.now), ""), nullptr) << old.now;
    }
  }
}

TEST(Schema, OldSpellingsAreUnderstood) {
  Config config = Config::parse(
      "[solver]\nrestart = 50\ncycle = \"w\"\n[[boundary]]\nregion = \"a\"\n[[boundary]]\nregion = \"b\"\n"
      "normal_conductivity = 2.0\n[reference]\nrows = [1]\n[[output.near_field]]\ncorner = [1, 2, 3]\n",
      "a.toml");
  config.set("solver.coarse_order", "2");

  config.check_schema("fem-solve");

  const Config expert = config.table("solver").table("expert");
  EXPECT_EQ(expert.get<int>("restart"), 50);
  EXPECT_EQ(expert.where("restart"), "a.toml:2");
  EXPECT_EQ(expert.get<int>("coarse_order"), 2);
  EXPECT_EQ(expert.where("coarse_order").rfind("--set", 0), 0U) << expert.where("coarse_order");
  EXPECT_FALSE(config.table("solver").has("cycle"));
  EXPECT_FALSE(config.has("reference"));
  const auto boundaries = config.tables("boundary");
  EXPECT_FALSE(boundaries[0].has("conductivity"));
  EXPECT_EQ(boundaries[1].get<double>("conductivity"), 2.0);
  EXPECT_EQ(boundaries[1].where("conductivity"), "a.toml:8");
  EXPECT_EQ(config.table("output").tables("near_field")[0].get<std::vector<Vec3<double>>>("positions")[0].y,
            2);

  Config word = Config::parse("[solver]\nmethod = \"cocg\"\n", "a.toml");
  word.check_schema("fem-solve");
  EXPECT_EQ(word.table("solver").get<std::string>("method"), "cocr");

  EXPECT_EQ(refusal("[solver]\nrestart = 50\nexpert = { restart = 40 }\n", "fem-solve"),
            "a.toml:2: solver: solver.restart is now called solver.expert.restart, which is also given: "
            "leave out one of them");
}

TEST(Schema, OldSpellingsOfOtherTablesAreUnderstood) {
  const Config config = Config::parse(
      "unit = \"mm\"\n[formulation]\npolarization = \"te\"\n[output]\nangles = [0, 90, 2]\n[[material]]\n"
      "region = \"a\"\n[[material]]\nregion = \"b\"\n[[material.model]]\ntype = \"debye\"\n"
      "[[material.model]]\ntype = \"drude\"\ncollision_frequency = 3e9\n[[contour]]\ntype = \"strip\"\n"
      "start = [1, 2]\nend = [3, 4]\n[output.near_field]\nx = [0, 1, 5]\ny = [2, 3, 6]\n",
      "a.toml");

  config.check_schema("mom2d");

  EXPECT_EQ(config.table("mesh").get<std::string>("unit"), "mm");
  EXPECT_EQ(config.table("excitation").get<std::string>("polarization"), "te");
  EXPECT_EQ(config.table("output").table("far_field").get<std::vector<double>>("phi")[1], 90);
  const Config strip = config.tables("contour")[0], grid = config.table("output").table("near_field");
  EXPECT_EQ(strip.get<std::vector<std::vector<double>>>("points"),
            (std::vector<std::vector<double>>{{1, 2}, {3, 4}}));
  EXPECT_EQ(strip.where("points"), "a.toml:17");
  EXPECT_FALSE(strip.has("start") || strip.has("end") || grid.has("x") || grid.has("y"));
  EXPECT_EQ(grid.get<std::vector<std::vector<double>>>("positions"),
            (std::vector<std::vector<double>>{{0, 2}, {1, 3}}));
  EXPECT_EQ(grid.get<std::vector<double>>("points"), (std::vector<double>{5, 6}));
  const auto poles = config.tables("material")[1].tables("model");
  EXPECT_FALSE(poles[0].has("damping"));
  EXPECT_EQ(poles[1].get<double>("damping"), 3e9);
  EXPECT_EQ(poles[1].where("damping"), "a.toml:14");
}

TEST(Schema, NearFieldsLayersAndSoundHaveFewerKeys) {
  const Config config = Config::parse(
      "[physics]\ntype = \"helmholtz\"\n[[material]]\nspeed_of_sound = 343\n[[output.near_field]]\ntype = "
      "\"plane\"\nstart = [1, 2, 3]\n"
      "u = [1, 0, 0]\nv = [0, \"2 mm\", 0.5]\npoints = [2, 2]\n[[pml]]\nregion = \"a\"\ntype = "
      "\"spherical\"\n[[pml]]\nregion = \"b\"\ntype = \"cartesian\"\n[boundary]\nregion = \"w\"\n"
      "normal_velocity = [1, 2]\n[output]\ntouchstone = 2\nfar_field = { formats = \"ffs\" }\n",
      "a.toml");

  config.check_schema("fem-solve");

  EXPECT_FALSE(config.has("physics"));
  EXPECT_EQ(config.table("output").get<std::vector<std::string>>("formats"),
            (std::vector<std::string>{"ffs", "touchstone2"}));
  const auto plane = config.table("output").tables("near_field")[0];
  EXPECT_FALSE(plane.has("type") || plane.has("start") || plane.has("u") || plane.has("v"));
  EXPECT_EQ(plane.where("positions"), "a.toml:7");
  EXPECT_NE(config.to_toml().find("[ 2.0, 2.0, 3.0 ]"), std::string::npos) << config.to_toml();
  EXPECT_NE(config.to_toml().find("(2 m) + (2 mm)"), std::string::npos) << config.to_toml();
  const auto layers = config.tables("pml");
  EXPECT_TRUE(layers[0].has("center") && !layers[1].has("center") && !layers[0].has("type"));
  EXPECT_EQ(config.tables("boundary")[0].get<Complex>("velocity"), Complex(1, 2));
  for (const char* text :
       {"[physics]\ntype = \"helmholtz\"\n", "[[pml]]\nregion = \"a\"\ntype = \"sphere\"\n"})
    EXPECT_NE(refusal(text, "fem-solve"), "") << text;
  const Config wire = Config::parse(
      "[[output.near_field]]\nstart = [0, 0, 0]\nu = [\"w\", 0, 0]\nv = [0, 1, 0]\npoints = [2, 2]\n",
      "a.toml");
  wire.check_schema("fem-solve");
  EXPECT_NE(wire.to_toml().find("[ 'w', 0.0, 0.0 ]"), std::string::npos) << wire.to_toml();
  const Config search = Config::parse(
      "[[variable]]\nparameter = \"a\"\nmin = 1\nmax = 2\n[[goal]]\n"
      "equal = 3\ntolerance = 0.1\n[[goal]]\nequal = 4\n",
      "a.toml");
  search.check_schema("em-optimize");
  EXPECT_EQ(search.tables("variable")[0].get<std::vector<double>>("range"), (std::vector<double>{1, 2}));
  EXPECT_EQ(search.tables("goal")[0].get<std::vector<double>>("equal"), (std::vector<double>{3, 0.1}));
  EXPECT_EQ(search.tables("goal")[1].get<std::vector<double>>("equal"), (std::vector<double>{4}));
}

TEST(Schema, ClassicalNystroemIsTheIntegrationOfThePaper) {
  const Config config = Config::parse("[formulation]\ninterpolation = \"cell\"\n", "a.toml");

  config.check_schema("mom2d");

  EXPECT_EQ(config.table("formulation").get<std::string>("integration"), "paper");
  // What resolved.toml stated; pulses had no nodes to interpolate between.
  for (const char* text : {"integration = \"accurate\"\ninterpolation = \"neighbours\"\n",
                           "method = \"mom\"\nintegration = \"accurate\"\ninterpolation = \"cell\"\n"}) {
    const Config both = Config::parse(std::string("[formulation]\n") + text, "a.toml");
    both.check_schema("mom2d");
    EXPECT_EQ(both.table("formulation").get<std::string>("integration"), "accurate") << text;
  }
}

TEST(Schema, TablesOfOutputFrequenciesAreRanges) {
  const Config config =
      Config::parse("[output]\nfrequencies = { start = 1e9, stop = 2e9, points = 3 }\n", "a.toml");

  config.check_schema("fem-solve");

  EXPECT_NE(refusal("[output]\nfrequencies = { start = 1e9, stop = 2e9 }\n", "fem-solve").find("points"),
            std::string::npos);
  const auto output = config.table("output");
  EXPECT_EQ(frequency_list(output, "frequencies"), (std::vector<double>{1e9, 1.5e9, 2e9}));
  const Config low =
      Config::parse("[output]\nfrequencies = { start = 1, stop = 100, points = 5 }\n", "a.toml");
  low.check_schema("fem-solve");
  EXPECT_EQ(frequency_list(low.table("output"), "frequencies").size(), 5U);
}

// A band of sound may begin below its number of points, and a list of three numbers may end below it.
TEST(Schema, ThreeNumbersAreARangeIfTheLastIsBelowTheSecond) {
  const auto numbers = [](const std::string& text) {
    return frequency_list(Config::parse("a = " + text + "\n"), "a");
  };
  EXPECT_EQ(numbers("[20, 1000, 50]"), linspace(20, 1000, 50));
  EXPECT_EQ(numbers("[2e9, 1e9, 3]"), (std::vector<double>{1e9, 1.5e9, 2e9}));
  EXPECT_EQ(numbers("[20, 50, 1000]"), (std::vector<double>{20, 50, 1000}));
  for (const char* list :
       {"[3.0, 2.0, 1.0]", "[2.5, 3.5, 1.5]", "[2e9, 3e9, 1e9]", "[3e6, 2e6, 1e6]", "[1e6, 3e6, 2e6]"})
    EXPECT_EQ(numbers(list).size(), 3U) << list << ": no number of points";
}

// As --set, --sweep and em-optimize write them on a config with the new ones.
TEST(Schema, OldSpellingsOfOptionsChangeTheNewOnes) {
  Config config = Config::parse(
      "[truncation]\nsurfaces = [\"a\", \"b\"]\n[solver]\nexpert = { restart = 40 }\n"
      "[[output.near_field]]\npositions = [[1, 2, 3], [4, 5, 6]]\npoints = 3\n",
      "a.toml");
  config.set("truncation.inner", "c");
  config.set("solver.restart", "50");
  config.set("output.near_field.0.stop", "[7, 8, 9]");

  config.check_schema("fe-iiee");

  EXPECT_EQ(config.table("truncation").get<std::vector<std::string>>("surfaces"),
            (std::vector<std::string>{"a", "c"}));
  EXPECT_EQ(config.table("truncation").where("surfaces"), "--set truncation.inner=c");
  EXPECT_EQ(config.table("solver").table("expert").get<int>("restart"), 50);
  const auto line = config.table("output").tables("near_field")[0];
  EXPECT_EQ(line.get<std::vector<std::vector<double>>>("positions"),
            (std::vector<std::vector<double>>{{1, 2, 3}, {7, 8, 9}}));

  Config search = Config::parse(
      "[[variable]]\nrange = [1, 2]\n[[goal]]\nequal = [3, 0.1]\ndirection = [30, 60]\n[[goal]]\ntheta = "
      "20\n",
      "a.toml");
  search.set("variable.0.min", "0.5");
  search.set("goal.0.tolerance", "0.2");
  search.set("goal.0.phi", "45");

  search.check_schema("em-optimize");

  EXPECT_EQ(search.tables("variable")[0].get<std::vector<double>>("range"), (std::vector<double>{0.5, 2}));
  EXPECT_EQ(search.tables("goal")[0].get<std::vector<double>>("equal"), (std::vector<double>{3, 0.2}));
  EXPECT_EQ(search.tables("goal")[0].get<std::vector<double>>("direction"), (std::vector<double>{30, 45}));
  EXPECT_EQ(search.tables("goal")[1].get<std::vector<double>>("direction"), (std::vector<double>{20, 0}));

  // An option of the new spelling counts, too; of two in the file neither does.
  Config old = Config::parse("[truncation]\ninner = \"c\"\n", "a.toml");
  old.set("truncation.surfaces", "[\"a\", \"b\"]");
  old.check_schema("fe-iiee");
  EXPECT_EQ(old.table("truncation").get<std::vector<std::string>>("surfaces"),
            (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(refusal("[truncation]\ninner = \"c\"\nsurfaces = [\"a\", \"b\"]\n", "fe-iiee").find("also given"),
            std::string::npos);
}

TEST(Schema, PolesGapsAndDualTestingHaveNoKeyOfTheirOwn) {
  const Config config = Config::parse(
      "[formulation]\nequation = \"mfie\"\ntesting = \"dual\"\n[[port]]\nbetween = [\"a\", "
      "\"b\"]\n[[material]]\n"
      "model = [{ type = \"debye\", relaxation_time = 1e-9 }, { type = \"drude\", plasma_frequency = 1e9 "
      "}]\n",
      "a.toml");

  config.check_schema("ie-solve");

  EXPECT_EQ(config.tables("port")[0].get<std::vector<std::string>>("region"),
            (std::vector<std::string>{"a", "b"}));
  for (const auto& pole : config.tables("material")[0].tables("model")) EXPECT_FALSE(pole.has("type"));
  EXPECT_EQ(config.table("formulation").get<std::string>("equation"), "mfie_dual");
  EXPECT_NE(refusal("[formulation]\ntesting = \"dual\"\n", "ie-solve").find("chooses the testing too"),
            std::string::npos);
  EXPECT_NE(refusal("[[material]]\nmodel = { type = \"lorentz\", relaxation_time = 1e-9 }\n", "ie-solve")
                .find("Lorentz"),
            std::string::npos);
}

TEST(Schema, MediaOfFilmsAndSlabsMoveToTheirMaterial) {
  const Config config = Config::parse(
      "[[boundary]]\nregion = \"a\"\ntype = \"film\"\nthickness = 1e-8\nmaterial = \"gold\"\n"
      "conductivity = 3e7\n[boundary.model]\ntype = \"drude\"\ncollision_frequency = 3e9\n"
      "[[boundary]]\nregion = [\"b\", \"c\"]\ntype = \"impedance\"\nthickness = 1e-3\nepsilon_r = 4\n"
      "[[boundary]]\nregion = \"d\"\ntype = \"impedance\"\nthickness = 1e-3\nconductivity = 1e7\n",
      "a.toml");

  config.check_schema("ie-solve");

  const auto media = config.tables("material");
  ASSERT_EQ(media.size(), 2);
  EXPECT_EQ(media[0].get<std::string>("region"), "a");
  EXPECT_EQ(media[0].get<std::string>("material"), "gold");
  EXPECT_EQ(media[0].get<double>("conductivity"), 3e7);
  EXPECT_EQ(media[0].where("conductivity"), "a.toml:6");
  EXPECT_EQ(media[0].table("model").get<double>("damping"), 3e9);
  EXPECT_EQ(media[1].get<std::vector<std::string>>("region"), (std::vector<std::string>{"b", "c"}));
  EXPECT_EQ(media[1].get<double>("epsilon_r"), 4);
  const auto walls = config.tables("boundary");
  EXPECT_FALSE(walls[0].has("model") || walls[0].has("conductivity") || walls[1].has("epsilon_r"));
  EXPECT_EQ(walls[0].get<double>("thickness"), 1e-8);
  EXPECT_EQ(walls[2].get<double>("conductivity"), 1e7);
}

TEST(Schema, UnknownKeysAreRefusedWithHelp) {
  EXPECT_EQ(refusal("[mesh]\nfile = \"a.h5\"\nsise = 1\n", "fem-solve"),
            "a.toml:3: mesh: unknown key \"sise\" (nearest known: \"size\"); size: greatest edge length of "
            "the cells; smaller sizes in the geometry are kept "
            "[mesh.unit]");
  EXPECT_EQ(
      refusal("[[port]]\nregion = \"a\"\n[[port]]\nmods = 1\n", "fem-solve"),
      "a.toml:4: port 2: unknown key \"mods\" (nearest known: \"modes\"); modes: modes that appear in S");
  EXPECT_EQ(refusal("[truncation]\ntolerance = 1e-3\n", "fem-solve"),
            "a.toml:1: key \"truncation\" is not for fem-solve but for fe-iiee");
  EXPECT_EQ(refusal("[[near_field]]\ntype = \"line\"\n", "fe-iiee"),
            "a.toml:1: key \"near_field\" does not belong here but in output.near_field");
  EXPECT_EQ(
      refusal("[mesh]\ntarget = \"S\"\n", "fem-solve"),
      "a.toml:2: mesh: key \"target\" does not belong here but in analysis.target or refinement.target");
  EXPECT_EQ(refusal("[mesh]\nparameter = { gap = 1 }\n", "fem-solve")
                .find("a.toml:2: mesh: unknown key \"parameter\" (nearest known: \"parameters\")"),
            0U);  // though [[sensitivity]] has it
  EXPECT_EQ(refusal("[meh]\n", "mom2d"), "a.toml:1: unknown key \"meh\" (nearest known: \"mesh\")");
  EXPECT_EQ(
      refusal("titel = \"a\"\n", "mom2d"),
      "a.toml:1: unknown key \"titel\" (nearest known: \"title\"); title: name of the problem; free text");
}

TEST(Schema, KnownKeysFreeNamesAndForeignProgramsPass) {
  EXPECT_EQ(
      refusal("title = \"t\"\n[mesh]\nparameters = { gap = 1, 2 = 3 }\n[output]\nfar_field = { theta = [0, "
              "180, 3] }\n",
              "fe-iiee"),
      "nothing");
  EXPECT_EQ(
      refusal("[excitation]\ntype = \"dipole\"\n[[material]]\nmodel = { type = \"drude\" }\n", "fem-solve"),
      "nothing");
  EXPECT_EQ(refusal("anything = 1\n", "toy"), "nothing");
}

TEST(Schema, AKeyThatThisConfigDoesNotUseIsNotCalledUnknown) {
  const Config config = Config::parse("[solver]\nmethod = \"direct\"\nsubdomains = 20\n", "a.toml");
  config.check_schema("fem-solve");
  static_cast<void>(config.table("solver").get<std::string>("method"));

  try {
    config.check_unknown_keys();
    ADD_FAILURE() << "subdomains was not refused";
  } catch (const InputError& e) {
    EXPECT_EQ(std::string(e.what()),
              "a.toml:3: solver: key \"subdomains\" has no effect with the other keys of this config; "
              "subdomains: number of subdomains of the coarse level");
  }
}

TEST(SchemaCheck, FindsKeysThatAreNotDeclared) {
  EXPECT_NO_THROW(check_asked({"fem-solve", "truncation"}));
  EXPECT_NO_THROW(check_read({"fe-iiee", "truncation.distance"}));
  EXPECT_NO_THROW(check_read({"fem-solve", "mesh.parameters.gap"}));
  EXPECT_THROW(check_asked({"fem-solve", "mesh.sizes"}), std::logic_error);
  EXPECT_THROW(check_read({"fem-solve", "truncation.distance"}), std::logic_error);
  EXPECT_THROW(check_read({"", "truncation.distances"}), std::logic_error);
}

TEST(SchemaCheck, FindsDefaultsWordsAndLimitsThatDiffer) {
  EXPECT_NO_THROW(check_default({"fe-iiee", "truncation.tolerance"}, "0.0001"));
  EXPECT_NO_THROW(check_default({"fe-iiee", "truncation.surfaces"}, "['S', 'S_prime']"));
  EXPECT_NO_THROW(check_default({"mom2d", "output.far_field.phi"}, "[ 0.0, 359.0, 360.0 ]"));
  EXPECT_THROW(check_default({"fe-iiee", "truncation.tolerance"}, "0.001"), std::logic_error);
  EXPECT_THROW(check_default({"mom2d", "output.far_field.phi"}, "[ 0.0, 359.0 ]"), std::logic_error);
  EXPECT_THROW(check_default({"fem-solve", "refinement.max_passes"}, "4"), std::logic_error);
  EXPECT_NO_THROW(check_words({"fem-solve", "symmetry.type"}, {"soft"}));
  EXPECT_THROW(check_words({"fem-solve", "symmetry.type"}, {"cylindrical"}), std::logic_error);
  EXPECT_NO_THROW(check_limits({"fem-solve", "port.modes"}, 1, 100));
  EXPECT_THROW(check_limits({"fem-solve", "port.modes"}, 1, 200), std::logic_error);
}

}  // namespace
}  // namespace curlew::io::schema
