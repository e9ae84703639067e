// SPDX-License-Identifier: BSD-3-Clause
// The keys that programs print, and every config of the suite against them. Programs of these tests check
// all that they read against the tables of keys, see run_program.hpp.
#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "run_program.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

namespace fs = std::filesystem;

/// Whose config it is, by the tables that it has.
std::string program_of(const std::string& text) {
  const auto has = [&](const char* table) { return text.find(table) != std::string::npos; };
  if (has("\n[[variable]]")) return "em-optimize";
  if (has("\n[truncation]")) return "fe-iiee";
  if (has("\n[[contour]]")) return "mom2d";
  return has("\n[formulation]") ? "ie-solve" : "fem-solve";
}

/// Seconds to mesh each, coarse as they are.
const std::vector<std::string> slow = {"almond", "cobra_cavity", "microstrip_array", "monopole_plate_in_air",
                                       "perforated_films"};

std::vector<std::string> quick_configs() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(test::source_dir() + "/configs")) {
    const std::string name = entry.path().stem().string();
    if (entry.path().extension() == ".toml" && std::ranges::find(slow, name) == slow.end())
      names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Keys do not depend on the mesh: coarser ones than the config's.
std::string coarser(const std::string& name, const std::string& config) {
  static const std::map<std::string, std::string> known = {
      {"cobra_cavity", " --set mesh.size=30"},
      {"microstrip_array",
       " --set mesh.wavelength_fraction=1 --set mesh.parameters.size_air=40 --set "
       "mesh.parameters.size_board=40 --set mesh.parameters.size_edge=25"},
      {"dra", " --set mesh.size=18"},
      {"horn", " --set mesh.size=25"},
      {"horn_in_air", " --set mesh.size=25"},
      {"microstrip", " --set mesh.parameters.growth=0.9"},
      {"monopole_plate_in_air", " --set mesh.parameters.size_edge=2 --set mesh.parameters.size_rim=20"},
      {"patch_in_air", " --set mesh.size=0.15"},
      {"perforated_films", " --set mesh.parameters.h=15"},
      {"resonators12", " --set mesh.parameters.h=20"}};
  const auto found = known.find(name);
  if (found != known.end()) return found->second;
  return config.find("\nwavelength_fraction = 0.25") == std::string::npos
             ? ""
             : " --set mesh.wavelength_fraction=0.5";
}

class Configs : public ProgramTest, public testing::WithParamInterface<std::string> {};

TEST_P(Configs, HoldNothingBesideTheKeysOfTheirProgram) {
  const std::string config = test::source_dir() + "/configs/" + GetParam() + ".toml",
                    text = io::read_text_file(config);

  const Ended ended = run(program_of(text) + " '" + config + "' --dry-run" + coarser(GetParam(), text));

  EXPECT_EQ(ended.status, 0) << ended.err;
}

INSTANTIATE_TEST_SUITE_P(Quick, Configs, testing::ValuesIn(quick_configs()),
                         [](const auto& test) { return test.param; });
INSTANTIATE_TEST_SUITE_P(DISABLED_Slow, Configs, testing::ValuesIn(slow),
                         [](const auto& test) { return test.param; });

class Keys : public ProgramTest, public testing::WithParamInterface<std::string> {};

TEST_P(Keys, ArePrintedAsTextAndAsJson) {
  std::string program = GetParam();
  std::replace(program.begin(), program.end(), '_', '-');
  const Ended text = run(program + " --keys"), json = run(program + " --keys json"),
              wrong = run(program + " --keys xml");

  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_NE(text.out.find("frequency.stop: number [Hz], > 0\n    last frequency of a range\n"),
            std::string::npos)
      << text.out;
  EXPECT_EQ(json.status, 0) << json.err;
  EXPECT_EQ(json.out.rfind("{\"$schema\":", 0), 0U);
  EXPECT_EQ(wrong.status, 2);
  EXPECT_NE(wrong.err.find("must be text or json"), std::string::npos) << wrong.err;
}

INSTANTIATE_TEST_SUITE_P(Every, Keys,
                         testing::Values("fem_solve", "fem_assemble", "fe_iiee", "ie_solve", "mom2d"),
                         [](const auto& test) { return test.param; });

class UnknownKeys : public ProgramTest {};

TEST_F(UnknownKeys, AreInNoConfigThatIsSlowToMesh) {
  for (const auto& name : slow) {
    const std::string config = test::source_dir() + "/configs/" + name + ".toml";
    const Ended ended =
        run(program_of(io::read_text_file(config)) + " '" + config + "' --dry-run --set mesh.file=none.geo");

    EXPECT_EQ(ended.status, 2) << name;
    EXPECT_NE(ended.err.find("none.geo"), std::string::npos) << ended.err;
  }
}

TEST_F(UnknownKeys, AreFoundBeforeTheMeshIsRead) {
  write("a.toml", "[mesh]\nfile = \"none.geo\"\nunit = \"mm\"\nsise = 1\n");

  for (const std::string sweep : {"", " --sweep mesh.parameters.gap=1:2:3"}) {
    const Ended ended = run("fem-solve a.toml" + sweep);

    EXPECT_EQ(ended.status, 2);
    EXPECT_EQ(
        ended.err,
        "fem-solve: a.toml:4: mesh: unknown key \"sise\" (nearest known: \"size\"); size: greatest edge "
        "length of the cells; smaller sizes in the geometry are kept [mesh.unit]\n");
  }
}

}  // namespace
}  // namespace curlew::test
