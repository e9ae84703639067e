// SPDX-License-Identifier: BSD-3-Clause
// What every program does with wrong command lines and inputs: one line on stderr, status 2, nothing on disk.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "curlew/build.hpp"
#include "io/atomic_file.hpp"

namespace curlew::test {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> programs() {
  std::istringstream names(CURLEW_PROGRAMS);
  std::vector<std::string> list;
  for (std::string name; names >> name;) list.push_back(name);
  return list;
}

struct Ended {
  int status;
  std::string out, err;
};

class Programs : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "curlew-cli-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// Runs the program in the test's own folder.
  Ended run(const std::string& arguments) const {
    const std::string streams =
        " > " + (folder_ / "out.txt").string() + " 2> " + (folder_ / "err.txt").string();
    const std::string program = std::string(CURLEW_BINARY_DIR) + "/" + GetParam() + " ";
    const int status =
        std::system(("cd " + folder_.string() + " && " + program + arguments + streams).c_str());
    return {WEXITSTATUS(status), io::read_text_file((folder_ / "out.txt").string()),
            io::read_text_file((folder_ / "err.txt").string())};
  }

  /// Status 2 and one line that starts with the program's name; only the streams' files are in the folder.
  void expect_refusal(const std::string& arguments, const std::string& part,
                      std::size_t own_files = 0) const {
    const Ended ended = run(arguments);
    EXPECT_EQ(ended.status, 2) << arguments;
    EXPECT_EQ(ended.err.rfind(GetParam() + ": ", 0), 0U) << ended.err;
    EXPECT_EQ(ended.err.find('\n'), ended.err.size() - 1) << ended.err;
    EXPECT_NE(ended.err.find(part), std::string::npos) << ended.err;
    EXPECT_EQ(ended.out, "") << arguments;
    EXPECT_EQ(std::size_t(std::distance(fs::directory_iterator(folder_), fs::directory_iterator())),
              2 + own_files);
  }

  fs::path folder_;
};

TEST_P(Programs, SayTheirVersionAndHelp) {
  const Ended version = run("--version"), help = run("--help");

  EXPECT_EQ(version.status, 0);
  EXPECT_NE(version.out.find(CURLEW_VERSION), std::string::npos);
  EXPECT_EQ(help.status, 0);
  EXPECT_NE(help.out.find("Example:\n  " + GetParam() + " "), std::string::npos) << help.out;
}

TEST_P(Programs, RefuseWrongCommandLines) {
  expect_refusal("", "is required");
  expect_refusal("a.toml --thread 2", "unknown option --thread (nearest: --threads");
  expect_refusal("a.toml --device tpu", "must be auto, cpu or cuda");
  expect_refusal("a.toml -q -v", "exclude each other");
}

TEST_P(Programs, RefuseInputsThatAreNotThere) {
  expect_refusal("none.toml -o out", "none.toml");
}

TEST_P(Programs, RefuseInputsOfTheWrongKind) {
  io::write_text_file((folder_ / "a.toml").string(), "a = = 1\n");
  io::write_text_file((folder_ / "a.h5").string(), "no HDF5");

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
