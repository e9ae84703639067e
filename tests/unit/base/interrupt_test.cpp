// SPDX-License-Identifier: BSD-3-Clause
// Ctrl-C while the flag is not checked, as in a library's call. Each in a separate process: the flag stays
// up.
#include "base/interrupt.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "base/error.hpp"

namespace curlew {
namespace {

using std::chrono::milliseconds;
using testing::ExitedWithCode;

constexpr auto longer_than_allowed = milliseconds(1600);
constexpr int lives = 7;  // a status of these tests

class Interrupt : public testing::Test {
 protected:
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

void interrupt(int signal) {
  install_interrupt_handler();
  limit_interrupts(1, "its last words\n");
  std::raise(signal);
}

TEST_F(Interrupt, EndsWhoLooksAtNoFlag) {
  const auto stuck = [](int signal) {
    at_forced_exit([]() noexcept { std::fputs("cleaned up, ", stderr); });
    interrupt(signal);
    std::this_thread::sleep_for(std::chrono::seconds(60));
  };
  EXPECT_EXIT(stuck(SIGTERM), ExitedWithCode(exit_interrupted), "^cleaned up, its last words");
  EXPECT_EXIT(stuck(SIGHUP), ExitedWithCode(exit_interrupted), "^cleaned up, its last words");
}

TEST_F(Interrupt, WaitsForWhatHoldsIt) {
  const auto writes = [] {
    interrupt(SIGTERM);
    {
      const InterruptHold hold;
      std::this_thread::sleep_for(longer_than_allowed);
    }
    std::_Exit(is_interrupted() ? lives : 0);
  };
  EXPECT_EXIT(writes(), ExitedWithCode(lives), "");
}

TEST_F(Interrupt, LeavesTimeToWhoHasLooked) {
  const auto leaves = [] {
    interrupt(SIGTERM);
    try {
      check_interrupt();
    } catch (const Interrupted&) {
      std::this_thread::sleep_for(longer_than_allowed);
      std::_Exit(lives);
    }
  };
  const auto writes_what_is_done = [] {
    interrupt(SIGINT);
    acknowledge_interrupt();
    std::this_thread::sleep_for(longer_than_allowed);
    std::_Exit(lives);
  };
  EXPECT_EXIT(leaves(), ExitedWithCode(lives), "");
  EXPECT_EXIT(writes_what_is_done(), ExitedWithCode(lives), "");
}

/// timeout(1) sends its signal to the process, then to the group.
TEST_F(Interrupt, TwoAtOnceAreOneWish) {
  const auto twice_after = [](milliseconds pause) {
    interrupt(SIGTERM);
    std::this_thread::sleep_for(pause);
    std::raise(SIGTERM);
    std::_Exit(is_interrupted() ? lives : 0);
  };
  EXPECT_EXIT(twice_after(milliseconds(0)), ExitedWithCode(lives), "");
  EXPECT_EXIT(twice_after(milliseconds(500)), testing::KilledBySignal(SIGTERM), "");
}

/// What ulimit -t sends, each second.
TEST_F(Interrupt, ALimitOfTimeIsOneWishToo) {
  const auto twice = [] {
    interrupt(SIGXCPU);
    std::this_thread::sleep_for(milliseconds(500));
    std::raise(SIGXCPU);
    std::_Exit(is_interrupted() ? lives : 0);
  };
  EXPECT_EXIT(twice(), ExitedWithCode(lives), "");
}

}  // namespace
}  // namespace curlew
