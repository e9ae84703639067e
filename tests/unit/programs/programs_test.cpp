// SPDX-License-Identifier: BSD-3-Clause
// Every program, called as a function in one process: apps/ holds nothing but the call.
#include "programs/programs.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"

namespace curlew::programs {
namespace {

using Program = std::function<int(int, char**)>;

int call(const Program& program, std::vector<std::string> words) {
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return program(int(words.size()), argv.data());
}

const std::vector<std::pair<std::string, Program>> all = {
#ifdef CURLEW_HAS_EM_MESH
    {"em-mesh", em_mesh},
#endif
    {"em-ngim", em_ngim},
    {"fe-iiee", [](int argc, char** argv) { return fe_iiee(argc, argv); }},
    {"fem-assemble", fem_assemble},
    {"fem-solve", [](int argc, char** argv) { return fem_solve(argc, argv); }},
    {"ie-solve", [](int argc, char** argv) { return ie_solve(argc, argv); }},
    {"mom2d", mom2d},
};

TEST(Programs, ReturnTheirExitStatus) {
  for (const auto& [name, program] : all) {
    EXPECT_EQ(call(program, {name, "--help"}), 0) << name;
    EXPECT_EQ(call(program, {name, "/nowhere/missing.toml"}), exit_input) << name;
  }
}

TEST(Programs, OneProcessRunsOneAfterAnother) {
  std::string pattern = (std::filesystem::temp_directory_path() / "curlew-programs-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::filesystem::path folder = pattern;
  std::ofstream(folder / "c.toml") << R"([mesh]
unit = "wavelength"
[[contour]]
name = "cylinder"
type = "circle"
center = [0.0, 0.0]
radius = 1.0
cells = 8
[formulation]
equation = "cfie"
[excitation]
polarization = "tm"
phi = [0.0]
)";

  for (const char* run : {"first", "second"}) {
    const auto out = folder / run;
    EXPECT_EQ(call(mom2d, {"mom2d", (folder / "c.toml").string(), "--output", out.string(), "-q"}), 0);
    EXPECT_TRUE(std::filesystem::exists(out / "echo_width.csv"));
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace curlew::programs
