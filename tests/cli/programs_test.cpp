// SPDX-License-Identifier: BSD-3-Clause
// Every program with wrong command lines and inputs: one line on stderr, status 2, nothing on disk.
#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "curlew/build.hpp"
#include "run_program.hpp"
#include "test_paths.hpp"

namespace curlew::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> programs() {
  std::istringstream names(CURLEW_PROGRAMS);
  std::vector<std::string> list;
  for (std::string name; names >> name;) list.push_back(name);
  return list;
}

class Programs : public ProgramTest, public testing::WithParamInterface<std::string> {
 protected:
  Ended run_it(const std::string& arguments) const { return run(GetParam() + " " + arguments); }

  /// Status 2 and one line that starts with the program's name; only the streams' files and kept
  /// meshes are in the folder.
  void expect_refusal(const std::string& arguments, const std::string& part,
                      std::size_t own_files = 0) const {
    const Ended ended = run_it(arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_EQ(ended.err.rfind(GetParam() + ": ", 0), 0U) << ended.err;
    EXPECT_EQ(ended.err.find('\n'), ended.err.size() - 1) << ended.err;
    EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err;
    EXPECT_EQ(ended.out, "") << arguments;
    EXPECT_EQ(std::count_if(fs::directory_iterator(folder_), fs::directory_iterator(),
                            [](const auto& entry) { return entry.path().filename() != ".mesh-cache"; }),
              long(2 + own_files));
  }
};

TEST_P(Programs, SayTheirVersionAndHelp) {
  const Ended version = run_it("--version"), help = run_it("--help");

  EXPECT_EQ(version.status, 0);
  EXPECT_NE(version.out.find(CURLEW_VERSION), std::string::npos);
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("Example:\n  " + GetParam() + " "), std::string::npos) << help.out;
}

TEST_P(Programs, GiveAnExampleThatRuns) {
  if (GetParam() == "em-ngim") GTEST_SKIP() << "its example is about the user's points";
  const std::string help = run_it("--help").out, title = "Example:\n";
  const auto begin = help.find(title) + title.size();

  const Ended ended = run("cd " + test::source_dir() + " && " +
                          help.substr(begin, help.find('\n', begin) - begin) + " --dry-run");

  EXPECT_EQ(ended.status, 0) << ended.err;
}

TEST_P(Programs, RefuseWrongCommandLines) {
  expect_refusal("", "is required");
  expect_refusal("a.toml --thread 2", "unknown option --thread (nearest: --threads");
  expect_refusal("a.toml --device tpu", "must be auto, cpu or cuda");
  expect_refusal("a.toml -q -v", "exclude each other");
  for (const char* threads : {"-1", "100000"})
    expect_refusal(std::string("a.toml --threads ") + threads, "must be 0 (all) or positive, at most 4096");
}

TEST_P(Programs, RefuseInputsThatAreNotThere) {
  expect_refusal("none.toml -o out", "none.toml");
}

TEST_P(Programs, RefuseInputsOfTheWrongKind) {
  write("a.toml", "a = = 1\n");
  write("a.h5", "no HDF5");

  expect_refusal("a.toml -o out", "a.toml", 2);
  expect_refusal("a.h5 -o out", "a.h5", 2);
}

INSTANTIATE_TEST_SUITE_P(Every, Programs, testing::ValuesIn(programs()), [](const auto& test) {
  std::string name = test.param;
  std::erase(name, '-');
  return name;
});

}  // namespace
}  // namespace curlew::test
