// SPDX-License-Identifier: BSD-3-Clause
#include "run/folder_lock.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <memory>
#include <thread>

#include "toy_program.hpp"

namespace curlew::test {
namespace {

using Names = std::vector<std::string>;

TEST(FolderLock, ASecondRunIsRefusedAndTheFirstOneNamed) {
  const Workplace place;
  std::filesystem::create_directories(place.out);
  {
    const run::FolderLock first(place.out, "toy first.toml");

    const Ended second = run_toy({place.config, "-o", place.out});

    EXPECT_EQ(second.status, 2);
    const std::string holder = "in use by toy first.toml, process " + std::to_string(getpid()) + " on ";
    EXPECT_NE(second.err.find(holder), std::string::npos) << second.err;
    EXPECT_EQ(listing(place.out), Names{".lock"});
    EXPECT_EQ(run_toy({place.config, "-o", place.out, "--sweep", "input.a=1,2"}).status, 2);
    EXPECT_EQ(run_toy({place.config, "-o", place.out, "--dry-run"}).status, 0);
  }
  EXPECT_EQ(run_toy({place.config, "-o", place.out}).status, 0);
  EXPECT_FALSE(std::filesystem::exists(place.out + "/.lock"));
}

TEST(FolderLock, AKilledRunHoldsNothing) {
  const Workplace place;
  std::filesystem::create_directories(place.out);
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const run::FolderLock lock(place.out, "toy killed.toml");
    static_cast<void>(!write(ready[1], "x", 1));
    while (true) pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(run_toy({place.config, "-o", place.out}).status, 2);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(std::filesystem::exists(place.out + "/.lock"));
  EXPECT_EQ(run_toy({place.config, "-o", place.out}).status, 0);
}

/// A killed run holds its folder until the system has ended it.
TEST(FolderLock, AResumedRunWaitsForTheHolder) {
  const Workplace place;
  std::filesystem::create_directories(place.out);
  auto first = std::make_unique<run::FolderLock>(place.out, "toy first.toml");
  std::thread holder([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    first.reset();
  });
  EXPECT_EQ(run_toy({place.config, "-o", place.out, "--resume"}).status, 0);
  holder.join();
}

TEST(FolderLock, TwoRunsSideBySideInDifferentFolders) {
  const Workplace place;
  std::filesystem::create_directories(place.folder / "other");
  const run::FolderLock first(place.folder / "other", "toy first.toml");
  EXPECT_EQ(run_toy({place.config, "-o", place.out}).status, 0);
}

}  // namespace
}  // namespace curlew::test
