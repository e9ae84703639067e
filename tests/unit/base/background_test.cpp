// SPDX-License-Identifier: BSD-3-Clause
#include "base/background.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <atomic>
#include <csignal>
#include <future>
#include <numeric>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "base/interrupt.hpp"
#include "base/threads.hpp"

namespace curlew {
namespace {

class BackgroundOf : public testing::TestWithParam<std::size_t> {};

TEST_P(BackgroundOf, DoesJobsInOrderAndFinishWaits) {
  std::vector<int> done, all(50);
  std::iota(all.begin(), all.end(), 0);
  Background background(GetParam());
  for (const int i : all) background.add([&done, i] { done.push_back(i); });
  background.finish();
  EXPECT_EQ(done, all);
}

TEST_P(BackgroundOf, TheFirstFailureIsTheLastJobAndIsTold) {
  std::vector<int> done;
  Background background(GetParam());
  EXPECT_THROW(
      {
        for (int i = 0; i < 20; ++i)
          background.add([&done, i] {
            if (i == 3) throw ResourceError("disk full");
            done.push_back(i);
          });
        background.finish();
      },
      ResourceError);
  EXPECT_EQ(done, (std::vector<int>{0, 1, 2}));
}

TEST_P(BackgroundOf, JobsHaveTheThreadsOfTheCaller) {
  const int before = num_threads();
  set_num_threads(3);
  int threads = 0;
  {
    Background background(GetParam());
    background.add([&] { threads = omp_get_max_threads(); });
    background.finish();
  }
  EXPECT_EQ(threads, 3);
  set_num_threads(before);
}

/// Ctrl-C waits for the jobs; add reports it to the caller.
TEST_P(BackgroundOf, CtrlCDoesNotStopAJob) {
  install_interrupt_handler();
  bool stopped = false;
  Background background(GetParam());
  background.add([&] {
    std::raise(SIGINT);
    try {
      check_interrupt();
    } catch (const Interrupted&) {
      stopped = true;
    }
  });
  background.finish();
  EXPECT_FALSE(stopped);
  EXPECT_THROW(check_interrupt(), Interrupted);
  int done = 0;
  background.add([&] { done = 1; });  // and is done at once
  EXPECT_EQ(done, 1);
  EXPECT_THROW(check_interrupt(), Interrupted);
  acknowledge_interrupt();
  std::signal(SIGINT, SIG_DFL), std::signal(SIGTERM, SIG_DFL), std::signal(SIGHUP, SIG_DFL);
}

INSTANTIATE_TEST_SUITE_P(Waiting, BackgroundOf, testing::Values(0, 1, 3));

/// The caller continues while a job runs, but not beyond those that may wait.
TEST(Background, BoundsWhatWaits) {
  std::promise<void> gate;
  std::atomic<int> given = 0;
  Background background(1);
  auto caller = std::async(std::launch::async, [&] {
    const auto open = gate.get_future().share();
    for (int i = 0; i < 4; ++i) {
      background.add([open] { open.wait(); });
      ++given;
    }
  });
  while (given < 2) std::this_thread::yield();  // one runs, one waits
  EXPECT_EQ(caller.wait_for(std::chrono::milliseconds(50)), std::future_status::timeout);
  EXPECT_EQ(given, 2);
  gate.set_value();
  caller.get();
  background.finish();
  EXPECT_EQ(given, 4);
}

/// After an exception the remaining jobs are not run, and the caller does not wait for them.
TEST(Background, LeavesOutWhatWaitsWhenItEnds) {
  std::promise<void> started, gate;
  bool is_done = false;
  std::thread opener;
  {
    Background background(1);
    background.add([&] {
      started.set_value();
      gate.get_future().wait();
    });
    started.get_future().wait();
    background.add([&] { is_done = true; });
    opener = std::thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      gate.set_value();
    });
  }
  opener.join();
  EXPECT_FALSE(is_done);
}

}  // namespace
}  // namespace curlew
