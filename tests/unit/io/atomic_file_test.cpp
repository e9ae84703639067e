// SPDX-License-Identifier: BSD-3-Clause
#include "io/atomic_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "temp_folder.hpp"

namespace curlew::io {
namespace {

namespace fs = std::filesystem;

TEST(AtomicFile, AppearsWholeAtCommit) {
  const test::TempFolder folder;
  AtomicFile file(folder / "a.txt");
  write_text_file(file.part(), "text");
  EXPECT_FALSE(fs::exists(folder / "a.txt"));

  file.commit();

  EXPECT_EQ(read_text_file(folder / "a.txt"), "text");
  EXPECT_FALSE(fs::exists(file.path() + ".part-" + std::to_string(getpid())));
}

TEST(AtomicFile, LeavesNothingWithoutCommit) {
  const test::TempFolder folder;
  write_text_file(folder / "a.txt", "old");
  {
    AtomicFile file(folder / "a.txt");
    write_text_file(file.part(), "half");
    const AtomicFile moved(std::move(file));
    EXPECT_TRUE(fs::exists(moved.part()));
  }

  EXPECT_EQ(read_text_file(folder / "a.txt"), "old");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

/// A pipe stands for a device, which only root can make.
TEST(AtomicFile, ReplacesWhatIsAFileAndNothingElse) {
  const test::TempFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  AtomicFile made_meanwhile(folder / "later");
  write_text_file(made_meanwhile.part(), "text");
  ASSERT_EQ(mkfifo((folder / "later").c_str(), 0600), 0);

  EXPECT_THROW(AtomicFile{pipe}, InputError);
  EXPECT_THROW(AtomicFile{"/dev/null"}, InputError);
  EXPECT_THROW(made_meanwhile.commit(), InputError);

  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_TRUE(fs::is_fifo(folder / "later"));
}

TEST(AtomicFile, ASignalHandlerCanRemoveTheParts) {
  const test::TempFolder folder;
  AtomicFile file(folder / "a.txt");
  write_text_file(file.part(), "half");

  remove_all_parts();

  EXPECT_FALSE(fs::exists(file.part()));
}

TEST(AtomicFile, PartsOfDeadProcessesAreRemoved) {
  const test::TempFolder folder;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  const pid_t unasked = fork();  // its parent has not waited for it
  if (unasked == 0) _exit(0);
  waitpid(child, nullptr, 0);
  siginfo_t info;
  waitid(P_PID, id_t(unasked), &info, WEXITED | WNOWAIT);
  write_text_file(folder / ("a.h5.part-" + std::to_string(child)), "");
  write_text_file(folder / ("a.csv.part-" + std::to_string(unasked)), "");
  write_text_file(folder / ("b.h5.part-" + std::to_string(getpid())), "");
  write_text_file(folder / "notes.part-one", "");

  remove_stale_parts(folder.path().string());

  EXPECT_FALSE(fs::exists(folder / ("a.h5.part-" + std::to_string(child))));
  EXPECT_FALSE(fs::exists(folder / ("a.csv.part-" + std::to_string(unasked))));
  waitpid(unasked, nullptr, 0);
  EXPECT_TRUE(fs::exists(folder / ("b.h5.part-" + std::to_string(getpid()))));
  EXPECT_TRUE(fs::exists(folder / "notes.part-one"));
}

TEST(AtomicFile, OfOneFileOnlyItsOwnPartsAreRemoved) {
  const test::TempFolder folder;
  const pid_t child = fork();
  if (child == 0) _exit(0);
  waitpid(child, nullptr, 0);
  const std::string end = ".part-" + std::to_string(child);
  for (const char* name : {"a.h5", "aa.h5", "a.h5.b"}) write_text_file(folder / (name + end), "");

  remove_stale_parts_of(folder / "a.h5");
  EXPECT_FALSE(fs::exists(folder / ("a.h5" + end)));
  EXPECT_TRUE(fs::exists(folder / ("aa.h5" + end)));
  EXPECT_TRUE(fs::exists(folder / ("a.h5.b" + end)));

  const fs::path here = fs::current_path();
  fs::current_path(folder.path());
  remove_stale_parts_of("aa.h5");  // a name without a folder
  fs::current_path(here);
  EXPECT_FALSE(fs::exists(folder / ("aa.h5" + end)));
}

TEST(AtomicFile, PlacesThatCannotBeWritten) {
  EXPECT_NE(test::message_of<ResourceError>([] {
              write_text_file("/nonexistent/a", "x");
            }).find("/nonexistent/a: cannot be written (No such"),
            std::string::npos);
}

}  // namespace
}  // namespace curlew::io
