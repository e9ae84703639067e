// SPDX-License-Identifier: BSD-3-Clause
// Folders of killed processes are removed, those in use are not.
#include "base/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "base/error.hpp"

namespace curlew {
namespace {

namespace fs = std::filesystem;

/// A folder for temporary files of this test alone.
class TemporaryFolders : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "curlew-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    top_ = pattern;
    if (const char* before = std::getenv("TMPDIR")) before_ = before;
    setenv("TMPDIR", top_.c_str(), 1);
  }
  void TearDown() override {
    if (before_)
      setenv("TMPDIR", before_->c_str(), 1);
    else
      unsetenv("TMPDIR");
    fs::remove_all(top_);
  }
  long count() const { return std::distance(fs::directory_iterator(top_), fs::directory_iterator{}); }

  /// A process that holds a folder with a file in it until it is killed.
  pid_t start_holder() const {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      const TemporaryFolder held("held");
      std::ofstream(held.path() + "/file") << "text";
      if (write(ready[1], "r", 1) != 1) _exit(1);
      for (;;) pause();
    }
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    close(ready[1]);
    return child;
  }

  fs::path top_;
  std::optional<std::string> before_;
};

TEST_F(TemporaryFolders, AreGoneWithTheirFiles) {
  {
    const TemporaryFolder folder("one"), other("one");
    EXPECT_NE(folder.path(), other.path());
    std::ofstream(folder.path() + "/file") << "text";
    EXPECT_EQ(count(), 2);
  }
  EXPECT_EQ(count(), 0);
}

TEST_F(TemporaryFolders, OfAKilledProcessAreRemovedWithTheNext) {
  const pid_t holder = start_holder();
  { const TemporaryFolder next("next"); }
  EXPECT_EQ(count(), 1) << "one in use was removed";

  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  EXPECT_EQ(count(), 1);
  const TemporaryFolder next("next");
  EXPECT_EQ(count(), 1);
  EXPECT_TRUE(fs::is_directory(next.path()));
}

TEST_F(TemporaryFolders, OfOthersAndLinksStay) {
  fs::create_directory(top_ / "curlew-other");
  fs::create_directory(top_ / "target");
  fs::create_directory_symlink(top_ / "target", top_ / "curlew-run-link");
  std::ofstream(top_ / "curlew-run-file") << "text";
  { const TemporaryFolder next("next"); }
  EXPECT_EQ(count(), 4);
}

TEST_F(TemporaryFolders, NeedAPlace) {
  setenv("TMPDIR", (top_ / "nowhere").c_str(), 1);
  EXPECT_THROW(TemporaryFolder("one"), ResourceError);
}

}  // namespace
}  // namespace curlew
