// SPDX-License-Identifier: BSD-3-Clause
// Tasks in copies of the process: results, failures, and that none outlives it.
#include "run/side_by_side.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/log.hpp"
#include "base/threads.hpp"
#include "run/at_once.hpp"
#include "toy_program.hpp"

namespace curlew::test {
namespace {

using nlohmann::json;
using run::SideBySide;

TEST(SideBySide, GivesValuesByNumberInAnyOrder) {
  const std::vector<double> shared{2, 3, 5, 7};
  SideBySide copies("task",
                    [&](std::size_t i) {
                      return json{{"value", 10 * shared[i]}, {"process", getpid()}};
                    },
                    {0, 1, 2, 3});
  ASSERT_TRUE(copies.start(3, 1));
  for (const std::size_t i : {3U, 0U, 2U, 1U}) {
    const auto ended = copies.wait(i);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->outcome.status, 0);
    EXPECT_EQ(ended->value["value"], 10 * shared[i]);
    EXPECT_NE(ended->value["process"], getpid());
  }
}

/// As in one process: the message and its kind.
TEST(SideBySide, BringsWhatWasThrown) {
  SideBySide copies("task",
                    [](std::size_t i) -> json {
                      if (i == 0) throw InputError("a key");
                      if (i == 1) throw NumericalError("singular");
                      if (i == 2) throw std::runtime_error("a bug");
                      throw Interrupted();
                    },
                    {0, 1, 2, 3});
  ASSERT_TRUE(copies.start(2, 1));
  const std::vector<std::pair<int, std::string>> expected{
      {2, "a key"}, {1, "singular"}, {1, "internal error: a bug"}, {130, Interrupted().what()}};
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto ended = copies.wait(i);
    ASSERT_TRUE(ended) << i;
    EXPECT_EQ(ended->outcome.status, expected[i].first);
    EXPECT_EQ(ended->outcome.error, expected[i].second);
  }
}

/// A run that was killed or had too little memory can be repeated, then alone.
TEST(SideBySide, LeavesWhatACopyCouldNot) {
  SideBySide copies("task",
                    [](std::size_t i) -> json {
                      if (i == 1) raise(SIGKILL);
                      if (i == 2) throw ResourceError("no room");
                      return int(i);
                    },
                    {0, 1, 2, 3, 4});
  ASSERT_TRUE(copies.start(2, 1));
  EXPECT_EQ(copies.wait(0)->value, 0);
  EXPECT_FALSE(copies.wait(1));
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1) << "a copy is still there";
  EXPECT_FALSE(copies.wait(2));
  EXPECT_EQ(copies.wait(3)->value, 3);
  EXPECT_EQ(copies.wait(4)->value, 4);
}

/// As Ctrl-C does: they did not end for lack of memory, and nothing is computed again.
TEST(SideBySide, SaysNothingOfCopiesThatItStops) {
  testing::internal::CaptureStderr();
  log::start("toy", log::Verbosity::normal);
  {
    SideBySide copies("task",
                      [](std::size_t) -> json {
                        try {
                          for (;;)
                            check_interrupt(), std::this_thread::sleep_for(std::chrono::milliseconds(5));
                        } catch (const Interrupted&) {
                          signal(SIGTERM, SIG_DFL);  // a handler of another test may be set
                          raise(SIGTERM);
                        }
                        return {};
                      },
                      {0, 1});
    ASSERT_TRUE(copies.start(2, 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    copies.listen();
    copies.stop();
    EXPECT_FALSE(copies.wait(0));
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

/// Lines of a copy come when its number is taken, so that the log is that of one process.
TEST(SideBySide, RepeatsTheLogInOrder) {
  testing::internal::CaptureStderr();
  log::start("toy", log::Verbosity::normal);
  {
    SideBySide copies("task",
                      [](std::size_t i) -> json {
                        log::info("line of {}", i);
                        log::debug("not shown");
                        return {};
                      },
                      {0, 1, 2});
    copies.start(3, 1);
    for (const std::size_t i : {0U, 1U, 2U}) copies.wait(i);
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "toy: line of 0\ntoy: line of 1\ntoy: line of 2\n");
}

/// A copy runs an OpenMP loop with its own threads, as the process did before.
TEST(SideBySide, CopiesHaveThreads) {
  set_num_threads(2);
  const auto sum = [] {
    double s = 0;
#pragma omp parallel for reduction(+ : s)
    for (int i = 1; i <= 100000; ++i) s += i;
    return s;
  };
  ASSERT_EQ(sum(), 5000050000.0);  // the pool exists
  SideBySide copies("task",
                    [&](std::size_t) {
                      return json{{"sum", sum()}, {"threads", num_threads()}};
                    },
                    {0, 1});
  ASSERT_TRUE(copies.start(2, 3));
  for (const std::size_t i : {0U, 1U}) {
    EXPECT_EQ(copies.wait(i)->value["sum"], 5000050000.0);
  }
  EXPECT_EQ(sum(), 5000050000.0);
}

/// Killing the run kills its copies.
TEST(SideBySide, DiesWithTheProcess) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const pid_t parent = fork();
  if (parent == 0) {
    SideBySide copies("task",
                      [&](std::size_t) -> json {
                        const pid_t own = getpid();
                        if (write(ends[1], &own, sizeof own) < 0) _exit(1);
                        std::this_thread::sleep_for(std::chrono::minutes(1));
                        return {};
                      },
                      {0, 1});
    copies.start(2, 1);
    copies.wait(0);
    _exit(0);
  }
  pid_t copies[2];
  for (pid_t& copy : copies) ASSERT_EQ(read(ends[0], &copy, sizeof copy), long(sizeof copy));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  for (const pid_t copy : copies) {
    std::string state = "R";
    for (int i = 0; i < 500 && state != "Z" && kill(copy, 0) == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      std::ifstream file("/proc/" + std::to_string(copy) + "/stat");
      std::string number, name;
      file >> number >> name >> state;  // of an orphan without a waiting parent: Z
    }
    EXPECT_TRUE(state == "Z" || kill(copy, 0) != 0) << copy;
  }
}

/// @param threads of the machine @param bytes of one, of 80 that are usable
run::AtOnce choose(std::size_t things, int threads, std::size_t bytes = 1, int jobs = 0) {
  return run::choose_at_once({things, bytes, jobs, threads, 100});
}

TEST(AtOnce, TakesOneThreadEachWhereThereAreEnough) {
  EXPECT_EQ(choose(40, 2).processes, 2);
  EXPECT_EQ(choose(40, 2).threads, 1);
  EXPECT_EQ(choose(160, 16).processes, 16);
  EXPECT_EQ(choose(17, 16).processes, 9);  // two rounds, as sixteen would take
  EXPECT_EQ(choose(3, 16).processes, 3);
  EXPECT_EQ(choose(3, 16).threads, 5);
  EXPECT_EQ(choose(1, 16).processes, 1);
  EXPECT_EQ(choose(1, 16).threads, 16);
  EXPECT_EQ(choose(40, 1).processes, 1);
}

TEST(AtOnce, TakesNoMoreThanMemoryHolds) {
  EXPECT_EQ(choose(40, 8, 20).processes, 4);
  EXPECT_EQ(choose(40, 8, 20).threads, 2);
  EXPECT_EQ(choose(40, 8, 41).processes, 1);
  EXPECT_EQ(choose(40, 8, 41).threads, 8);
  EXPECT_EQ(choose(40, 8, 1000).processes, 1);
  EXPECT_NE(choose(40, 8, 41).reason.find("available"), std::string::npos);
}

TEST(AtOnce, DoesWhatIsSaid) {
  EXPECT_EQ(choose(40, 8, 50, 3).processes, 3);
  EXPECT_EQ(choose(40, 8, 50, 3).threads, 2);
  EXPECT_EQ(choose(40, 1, 50, 2).processes, 2);
  EXPECT_EQ(choose(2, 8, 1, 5).processes, 2);
}

}  // namespace
}  // namespace curlew::test
